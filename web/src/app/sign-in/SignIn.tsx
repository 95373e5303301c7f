// The form for the access token or a token of the cluster, in place of the page.
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {type FormEvent, useState} from 'react';
import {signIn, signInKind, useAccessToken} from '../../stream/access-token.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {Logo} from '../Logo.tsx';
import {tokenIn, tryToken} from './try-token.ts';
import './sign-in.css';

const isAccessToken = signInKind === 'token';
const wrongToken = isAccessToken
  ? 'Wrong access token. Use the address that krtscope printed when it last started.'
  : 'The cluster does not accept this token. It may have expired.';

const refusalText = (refusal: ApiFailure): string =>
  refusal.code === 'unauthorized' ? wrongToken : `${refusal.message}: ${refusal.hint}.`;

export function SignIn() {
  const refusal = useAccessToken(state => state.refusal);
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(refusal === null ? null : refusalText(refusal));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const token = tokenIn(text);
    if (token === '' || busy) return;
    setBusy(true);
    const answer = await tryToken(token);
    setBusy(false);
    if (answer === 'right') signIn(token);
    else setProblem(refusalText(answer));
  };
  return (
    <main className="sign-in">
      <form className="sign-in-form column" aria-label="Sign in" onSubmit={event => void submit(event)}>
        <h1 className="row gap-8">
          <Logo /> krtscope
        </h1>
        {isAccessToken ? (
          <p>
            This page needs the access token. It is in the address that krtscope printed when it started,
            after <code>token=</code>, and in the file <code>token</code> of its data directory.
          </p>
        ) : (
          <p>
            Paste a token of the cluster, such as from <code>kubectl create token NAME</code>. Its user needs
            the verb <code>get</code> on the non-resource URL <code>/krtscope</code>.
          </p>
        )}
        <label htmlFor="access-token">
          {isAccessToken ? 'Access token, or the whole address' : 'Token of the cluster'}
        </label>
        <input
          id="access-token"
          type="password"
          autoComplete="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the form is the only thing on the page
          autoFocus
          value={text}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : 'access-token-problem'}
          onChange={event => setText(event.target.value)}
        />
        {problem === null ? null : (
          <p id="access-token-problem" className="sign-in-problem" role="alert">
            {problem}
          </p>
        )}
        <div>
          <Button look="primary" type="submit" disabled={tokenIn(text) === '' || busy}>
            {busy ? 'Signing in…' : 'Sign in'}
          </Button>
        </div>
      </form>
    </main>
  );
}
