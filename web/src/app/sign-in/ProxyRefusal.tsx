// What a proxy's user sees whom krtscope does not let in, in place of the page. A proxy signs in, so there is no form.
import {useEffect} from 'react';
import {useAccessToken} from '../../stream/access-token.ts';
import {stream} from '../../stream/client.ts';
import {apiPath, RequestError, request} from '../../stream/http.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {Logo} from '../Logo.tsx';
import './sign-in.css';

async function tryAgain(): Promise<void> {
  try {
    await request(apiPath('/sessions'));
    useAccessToken.setState({refusal: null, asking: false});
    stream.retryNow();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    useAccessToken.setState({refusal: error.failure});
  }
}

export function ProxyRefusal() {
  const refusal = useAccessToken(state => state.refusal);
  useEffect(() => {
    if (refusal === null) void tryAgain();
  }, [refusal]);
  return (
    <main className="sign-in">
      <section className="sign-in-form column" aria-label="Sign in">
        <h1 className="row gap-8">
          <Logo /> krtscope
        </h1>
        {refusal === null ? null : (
          <>
            <p className="sign-in-problem" role="alert">
              {refusal.code === 'unauthorized' ? 'No user is signed in.' : `${refusal.message}.`}
            </p>
            <p>{`${refusal.hint.charAt(0).toUpperCase()}${refusal.hint.slice(1)}.`}</p>
          </>
        )}
        <div>
          <Button look="primary" onClick={() => void tryAgain()}>
            Try again
          </Button>
        </div>
      </section>
    </main>
  );
}
