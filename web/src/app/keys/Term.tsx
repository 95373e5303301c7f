// A term of krtscope with its meaning from the glossary as a tooltip.
import {meaningOf} from './glossary.ts';
import './term.css';

export function Term({word, children}: {word: string; children: string}) {
  return (
    <span className="term" title={`${word}: ${meaningOf(word)}`}>
      {children}
    </span>
  );
}
