// Renders a sentence in parts: text, item chips, code, outcomes.
import {objectName} from '@krtscope/shared/object-name.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';
import {ItemChip} from '../../ui/indicators/ItemChip.tsx';
import {outcomeTone} from '../../ui/indicators/outcome-state.tsx';
import './sentence.css';

export function Sentence({
  parts,
  plain = false,
}: {
  parts: readonly SentencePart[];
  /** Shows items as code instead of chips. */
  plain?: boolean;
}) {
  return parts.map((part, position) => {
    // Parts of a sentence have no identity except their position.
    const key = `${position}`;
    if ('text' in part) return <span key={key}>{part.text}</span>;
    if ('code' in part)
      return (
        <code key={key} className={`said ${part.mark ? `said-${part.mark}` : ''}`}>
          {part.code}
        </code>
      );
    if ('outcome' in part)
      return (
        <b key={key} className={`said-outcome said-${outcomeTone[part.outcome]}`}>
          {part.outcome}
        </b>
      );
    if (plain)
      return (
        <code key={key} className="said">
          {objectName(part.item)}
        </code>
      );
    return (
      <ItemChip
        key={key}
        collection={part.item.collection}
        itemKey={part.item.key}
        size="sentence"
        longest={44}
        side={part.role}
      />
    );
  });
}
