// The list of bookmarks: go to one, name the one on screen, remove it.
import {goTo, useMoment} from '../../store/navigation.ts';
import {Menu, type MenuItem} from '../../ui/controls/Menu.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {clockText} from '../../ui/text/Age.tsx';
import {addBookmark, removeBookmark, useBookmarks} from './bookmarks.ts';

export function BookmarkMenu() {
  const bookmarks = useBookmarks(state => state.bookmarks);
  const {moment} = useMoment();
  const here = bookmarks.find(one => one.sequence === moment);
  const items: MenuItem[] = [
    ...bookmarks.map(one => ({
      id: String(one.sequence),
      label: one.name,
      note: `#${one.sequence}, ${clockText(one.at)}`,
      checked: one.sequence === moment,
      onPick: () => goTo(one.sequence),
    })),
    {
      id: 'add',
      label: here === undefined ? 'Bookmark this moment' : `Rename ${here.name}`,
      icon: 'flag',
      note: 'b',
      onPick: addBookmark,
    },
    ...(here === undefined
      ? []
      : [
          {
            id: 'remove',
            label: `Remove ${here.name}`,
            icon: 'close' as const,
            onPick: () => removeBookmark(here.sequence),
          },
        ]),
  ];
  return (
    <Menu
      label="Bookmarks"
      items={items}
      trigger={props => (
        <button
          type="button"
          {...props}
          className="timeline-link inline-row gap-4 bare-button"
          aria-label={`Bookmarks, ${bookmarks.length}`}
          title="Bookmarks (b adds one)"
        >
          <Icon name="flag" size={12} /> {bookmarks.length === 0 ? null : bookmarks.length}
        </button>
      )}
    />
  );
}
