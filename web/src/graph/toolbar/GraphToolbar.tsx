// The graph's toolbar: level, find, hide and hops; heat, pulses, list and export.

import {type RefObject, useEffect, useRef, useState} from 'react';
import {useKeys} from '../../app/keys/keys.ts';
import {openOverlay, setParams, toast} from '../../store/app.ts';
import {changeSettings, useSettings} from '../../store/settings.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {Kbd} from '../../ui/controls/Kbd.tsx';
import {Menu, type MenuItem} from '../../ui/controls/Menu.tsx';
import {Segmented} from '../../ui/controls/Tabs.tsx';
import {Icon, type IconName} from '../../ui/indicators/Icon.tsx';
import {StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import {Toolbar} from '../../ui/layout/Toolbar.tsx';
import type {GroupState} from '../drawing/collection-groups.ts';
import {type GraphChoice, heats, setHops} from '../use-graph-choice.ts';
import {selectorHelp} from './collection-selector.ts';
import {GroupsMenu} from './GroupsMenu.tsx';
import './graph-toolbar.css';

export function GraphToolbar({
  choice,
  problems,
  sampled,
  exports,
  groups,
  narrow,
}: {
  choice: GraphChoice;
  problems: {find: string | undefined; hide: string | undefined};
  sampled: string;
  exports: MenuItem[];
  groups: readonly GroupState[];
  narrow: boolean;
}) {
  const pulses = useSettings(settings => settings.pulses);
  const find = useRef<HTMLInputElement>(null);
  const level = (to: 'collections' | 'item') => {
    if (to === 'item' && !choice.item)
      toast('Select an item first: click a row in the Sheet, then come back');
    else setParams({level: to === 'item' ? 'item' : null});
  };
  useKeys({
    g: {
      says: 'switch between collections and item',
      run: () => level(choice.level === 'item' ? 'collections' : 'item'),
    },
    l: {says: 'switch between list and drawing', run: () => setParams({list: choice.list ? '0' : '1'})},
    'Shift+L': {
      says: 'switch between list and drawing',
      run: () => setParams({list: choice.list ? '0' : '1'}),
    },
    '/': {says: 'find in the graph', group: 'Move', run: () => find.current?.focus()},
  });
  return (
    <Toolbar
      label="Graph"
      left={
        <>
          <Segmented
            label="Level"
            active={choice.level}
            onPick={level}
            options={[
              {id: 'collections', label: 'Collections'},
              {
                id: 'item',
                label: (
                  <>
                    Item <Kbd keys="g" />
                  </>
                ),
              },
            ]}
          />
          <SelectorBox
            name="find"
            icon="target"
            label="Find"
            text={choice.find}
            problem={problems.find}
            input={find}
            hint="hot>5"
          />
          {narrow ? null : (
            <SelectorBox
              name="hide"
              icon="eye"
              label="Hide"
              text={choice.hide}
              problem={problems.hide}
              hint="state:idle"
            />
          )}
          <Hops choice={choice} />
        </>
      }
      right={
        <>
          {groups.length > 0 ? <GroupsMenu groups={groups} choice={choice} /> : null}
          {narrow ? null : <HeatMenu choice={choice} />}
          <Button
            look="ghost"
            keys="p"
            pressed={pulses}
            className="pulse-button"
            onClick={() => changeSettings({pulses: !pulses})}
          >
            <StateGlyph tone={pulses ? 'changed' : 'noop'} size={8} /> Pulses
            {sampled === '' ? '' : ` ${sampled}`}
          </Button>
          <Button
            icon="list"
            keys="Shift+L"
            pressed={choice.list}
            onClick={() => setParams({list: choice.list ? '0' : '1'})}
          >
            List
          </Button>
          <Button icon="plus" onClick={() => openOverlay('add-source')}>
            Source
          </Button>
          <Menu
            label="Export"
            align="end"
            items={exports}
            trigger={props => (
              <Button {...props} icon="download">
                Export
              </Button>
            )}
          />
        </>
      }
    />
  );
}

/** A query box. It applies on Enter or when it loses the focus. */
function SelectorBox({
  name,
  icon,
  label,
  text,
  problem,
  input,
  hint,
}: {
  name: 'find' | 'hide';
  icon: IconName;
  label: string;
  text: string;
  problem: string | undefined;
  input?: RefObject<HTMLInputElement | null>;
  hint: string;
}) {
  const [draft, setDraft] = useState(text);
  useEffect(() => setDraft(text), [text]);
  const apply = () => {
    if (draft !== text) setParams({[name]: draft.trim() || null});
  };
  return (
    <label
      className={`selector-box ${problem ? 'selector-wrong' : ''}`}
      title={problem ?? `${label}: ${selectorHelp}`}
    >
      <Icon name={icon} size={14} />
      <span>{label}</span>
      <input
        ref={input}
        value={draft}
        placeholder={hint}
        spellCheck={false}
        aria-invalid={problem ? true : undefined}
        onChange={event => setDraft(event.target.value)}
        onBlur={apply}
        onKeyDown={event => {
          if (event.key === 'Enter') apply();
          if (event.key === 'Escape') {
            event.stopPropagation();
            setDraft('');
            setParams({[name]: null});
            if (draft === '') event.currentTarget.blur();
          }
        }}
      />
    </label>
  );
}

function Hops({choice}: {choice: GraphChoice}) {
  const {up, down} = choice;
  return (
    <fieldset className="hops" aria-label="Hops around the selection">
      <span>Hops</span>
      <HopStep value={up} label="Hops up" onChange={next => setHops(next, down)} />
      <span className="hop-sides" aria-hidden="true">
        ◂ ▸
      </span>
      <HopStep value={down} label="Hops down" onChange={next => setHops(up, next)} />
    </fieldset>
  );
}

function HopStep({value, label, onChange}: {value: number; label: string; onChange: (next: number) => void}) {
  return (
    <input
      type="number"
      className="hop"
      min={0}
      max={9}
      value={value}
      aria-label={label}
      onChange={event => onChange(Number(event.target.value))}
    />
  );
}

const heatWords = {
  none: 'none',
  runs: 'runs per minute',
  equal: 'equal runs',
  size: 'items',
  failed: 'failed',
} as const;

function HeatMenu({choice}: {choice: GraphChoice}) {
  return (
    <Menu
      label="Heat"
      align="end"
      trigger={props => (
        <Button {...props} look="ghost">
          Heat: {heatWords[choice.heat]} <Icon name="down" size={12} />
        </Button>
      )}
      items={heats.map(heat => ({
        id: heat,
        label: heatWords[heat],
        checked: heat === choice.heat,
        onPick: () => setParams({heat: heat === 'none' ? null : heat}),
      }))}
    />
  );
}
