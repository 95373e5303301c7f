// Open incidents and recent items, which the palette offers first.
import {objectName} from '@krtscope/shared/object-name.ts';
import {useMemo} from 'react';
import {openIncidentOrigin} from '../../overview/incidents/incident-actions.ts';
import {isRecovered} from '../../overview/incidents/incident-state.ts';
import {useApp} from '../../store/app.ts';
import {select} from '../../store/navigation.ts';
import {useLastAnswer, useSubscription} from '../../stream/use-subscription.ts';
import type {PaletteEntry} from './palette-entries.ts';
import {recentItems} from './recent-items.ts';

export function useSuggestions(): PaletteEntry[] {
  const session = useApp(state => state.route.session);
  const answer = useLastAnswer(useSubscription({ask: 'incidents', state: 'open'}));
  return useMemo(() => {
    const incidents = (answer?.incidents ?? []).filter(one => !isRecovered(one));
    return [
      ...incidents.map(
        (incident): PaletteEntry => ({
          id: `incident ${incident.id}`,
          group: 'Open incidents',
          label: incident.title,
          icon: 'warning',
          note: 'why',
          run: () => openIncidentOrigin(incident),
        }),
      ),
      ...recentItems(session).map(
        (item): PaletteEntry => ({
          id: `recent ${item.collection} ${item.key}`,
          group: 'Recent',
          label: objectName(item),
          icon: 'clock',
          note: item.collection,
          run: () => select(item, 'sheet'),
        }),
      ),
    ];
  }, [session, answer]);
}
