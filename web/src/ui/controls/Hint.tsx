// What to do about a problem: a command to copy, or advice in words.
import {adviceSentence, isCommand} from '../text/hint-text.ts';
import {CopyCommand} from './CopyButton.tsx';
import './hint.css';

export function Hint({text}: {text: string}) {
  if (isCommand(text)) return <CopyCommand command={text} plain />;
  return <p className="hint">{adviceSentence(text)}</p>;
}
