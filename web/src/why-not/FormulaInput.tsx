// The input of a formula that returned nothing. It usually shows the reason.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import type {WhyNot} from '@krtscope/shared/why.ts';
import {useAnswer, useGraph} from '../stream/use-subscription.ts';
import {Yaml} from '../ui/code/Yaml.tsx';
import {ItemChip} from '../ui/indicators/ItemChip.tsx';
import {Panel} from '../ui/layout/Panel.tsx';

export function FormulaInput({answer}: {answer: WhyNot}) {
  const graph = useGraph();
  const from = graph?.edges.find(edge => edge.to === answer.collection && edge.kind === 'input')?.from;
  const key = answer.evidence.run?.input ?? answer.key;
  const path =
    from === undefined ? null : `/collections/${encodeURIComponent(from)}/items/${encodeURIComponent(key)}`;
  const input = useAnswer<ItemDetail>(path);
  if (!input.answer || from === undefined || input.answer.collection !== from) return null;
  return (
    <Panel
      title="Input of the formula"
      aside={<ItemChip collection={from} itemKey={key} longest={34} view="sheet" />}
    >
      <Yaml value={input.answer.value} label={`${from} ${key}`} />
    </Panel>
  );
}
