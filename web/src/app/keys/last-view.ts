// The view from which the reader opened an explanation. Escape returns to it.
import {useEffect} from 'react';
import {useApp} from '../../store/app.ts';
import {isExplanationView, type PageView} from '../../store/route.ts';

export const lastView: {view: PageView} = {view: 'sheet'};

export function useRememberedView(): void {
  const view = useApp(state => state.route.view);
  useEffect(() => {
    if (!isExplanationView(view)) lastView.view = view;
  }, [view]);
}
