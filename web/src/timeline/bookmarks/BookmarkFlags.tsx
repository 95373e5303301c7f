// The flags of bookmarks above the chart, with their names. A click goes there; the open one has a field for its name.
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {useState} from 'react';
import {goTo, useMoment} from '../../store/navigation.ts';
import {IconButton} from '../../ui/controls/Button.tsx';
import {clockText} from '../../ui/text/Age.tsx';
import {bucketOf, isInRange} from '../chart/time-scale.ts';
import type {Bookmark} from './bookmark-store.ts';
import {givenName, nameBookmark, removeBookmark, useBookmarks} from './bookmarks.ts';
import './bookmark-flags.css';

/** About the width of a name, to keep names apart. */
const NAME_WIDTH = 96;
const EDITOR_WIDTH = 240;

export function BookmarkFlags({line, width}: {line: Timeline; width: number}) {
  const {bookmarks, editing} = useBookmarks();
  const {moment} = useMoment();
  const scale = width / Math.max(1, line.buckets.length);
  const inside = bookmarks.filter(one => isInRange(line, one));
  const placed = inside.map(one => ({one, x: (bucketOf(line.buckets, one.sequence) + 0.5) * scale}));
  return (
    <>
      {placed.map(({one, x}, at) => (
        <button
          key={one.sequence}
          type="button"
          className="bookmark-flag bare-button"
          data-side={x > width - NAME_WIDTH ? 'left' : 'right'}
          style={{left: x}}
          aria-current={one.sequence === moment ? 'true' : undefined}
          title={`Bookmark ${one.name}, #${one.sequence}, ${clockText(one.at)}`}
          aria-label={`Bookmark ${one.name}`}
          onClick={() => goTo(one.sequence)}
        >
          <svg width="9" height="10" aria-hidden="true">
            <path d="M0.5 0h8v9l-4-2.6-4 2.6z" />
          </svg>
          {(placed[at + 1]?.x ?? Number.POSITIVE_INFINITY) - x > NAME_WIDTH ? (
            <span className="ellipsis">{one.name}</span>
          ) : null}
        </button>
      ))}
      {placed
        .filter(({one}) => one.sequence === editing)
        .map(({one, x}) => (
          <BookmarkEditor
            key={one.sequence}
            bookmark={one}
            left={Math.max(0, Math.min(width - EDITOR_WIDTH, x - EDITOR_WIDTH / 2))}
          />
        ))}
    </>
  );
}

function BookmarkEditor({bookmark, left}: {bookmark: Bookmark; left: number}) {
  const [name, setName] = useState(givenName(bookmark));
  const end = (save: boolean) => nameBookmark(bookmark.sequence, save ? name : givenName(bookmark));
  return (
    <form
      className="bookmark-editor row gap-6"
      style={{left, width: EDITOR_WIDTH}}
      onSubmit={event => {
        event.preventDefault();
        end(true);
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the user just asked for a bookmark
        autoFocus
        aria-label={`Name of bookmark #${bookmark.sequence}`}
        placeholder={`Name of #${bookmark.sequence}, or Esc`}
        maxLength={80}
        value={name}
        onChange={event => setName(event.target.value)}
        onBlur={() => end(true)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          end(false);
        }}
      />
      <IconButton
        icon="close"
        label="Remove bookmark"
        onPointerDown={event => event.preventDefault()}
        onClick={() => removeBookmark(bookmark.sequence)}
      />
    </form>
  );
}
