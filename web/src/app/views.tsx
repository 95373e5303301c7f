// The list of views. Each loads when it is first opened.
import {type ComponentType, lazy} from 'react';
import type {PageView} from '../store/route.ts';
import type {IconName} from '../ui/indicators/Icon.tsx';

interface ViewEntry {
  id: PageView;
  label: string;
  icon: IconName;
  /** The number key. Views without one open from another view. */
  keys?: string;
  component: ComponentType;
  /** Whether the Inspector opens by default. */
  inspector: boolean;
}

export const viewEntries: Record<PageView, ViewEntry> = {
  overview: {
    id: 'overview',
    label: 'Overview',
    icon: 'overview',
    keys: '1',
    component: lazy(() => import('../overview/OverviewView.tsx')),
    inspector: false,
  },
  sheet: {
    id: 'sheet',
    label: 'Sheet',
    icon: 'sheet',
    keys: '2',
    component: lazy(() => import('../sheet/SheetView.tsx')),
    inspector: true,
  },
  graph: {
    id: 'graph',
    label: 'Graph',
    icon: 'graph',
    keys: '3',
    component: lazy(() => import('../graph/GraphView.tsx')),
    inspector: false,
  },
  origin: {
    id: 'origin',
    label: 'Why this value?',
    icon: 'why',
    component: lazy(() => import('../origin/OriginView.tsx')),
    inspector: false,
  },
  why: {
    id: 'why',
    label: 'Why',
    icon: 'why',
    keys: '4',
    component: lazy(() => import('../why/WhyView.tsx')),
    inspector: false,
  },
  'why-not': {
    id: 'why-not',
    label: 'Why not',
    icon: 'why',
    component: lazy(() => import('../why-not/WhyNotView.tsx')),
    inspector: false,
  },
  'what-if': {
    id: 'what-if',
    label: 'What if',
    icon: 'lab',
    component: lazy(() => import('../what-if/WhatIfView.tsx')),
    inspector: false,
  },
  lab: {
    id: 'lab',
    label: 'Lab',
    icon: 'lab',
    keys: '5',
    component: lazy(() => import('../lab/LabView.tsx')),
    inspector: false,
  },
  controllers: {
    id: 'controllers',
    label: 'Controllers',
    icon: 'refresh',
    keys: '6',
    component: lazy(() => import('../controllers/ControllersView.tsx')),
    inspector: false,
  },
};
