// The menu that opens and closes groups of collections.
import {Button} from '../../ui/controls/Button.tsx';
import {Menu} from '../../ui/controls/Menu.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import type {GroupState} from '../drawing/collection-groups.ts';
import {type GraphChoice, setOpenGroups} from '../use-graph-choice.ts';

export function GroupsMenu({groups, choice}: {groups: readonly GroupState[]; choice: GraphChoice}) {
  const open = groups.filter(group => group.open).length;
  const toggle = ({id, open: isOpen}: GroupState) =>
    setOpenGroups(
      isOpen ? [...choice.openGroups].filter(one => !one.startsWith(id)) : [...choice.openGroups, id],
    );
  return (
    <Menu
      label="Groups"
      align="end"
      trigger={props => (
        <Button {...props} look="ghost">
          Groups: {open} of {groups.length} open <Icon name="down" size={12} />
        </Button>
      )}
      items={[
        {id: ' all', label: 'Open all', onPick: () => setOpenGroups(groups.map(group => group.id))},
        {id: ' none', label: 'Close all', onPick: () => setOpenGroups([])},
        ...groups.map(group => ({
          id: group.id,
          label: group.id,
          note: String(group.size),
          checked: group.open,
          onPick: () => toggle(group),
        })),
      ]}
    />
  );
}
