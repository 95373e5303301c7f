// Failing controllers above the incidents; a click opens the failing request.

import {failuresOf, type useFailingControllers} from '../controllers/failing-controllers.ts';
import {navigate} from '../store/app.ts';
import {StateGlyph, ToneWord} from '../ui/indicators/outcome-state.tsx';
import {plural} from '../ui/text/plural.ts';

export function FailingControllers({controllers}: {controllers: ReturnType<typeof useFailingControllers>}) {
  if (controllers.length === 0) return null;
  return (
    <ul>
      {controllers.map(controller => (
        <li key={controller.name}>
          <button
            type="button"
            className="list-button incident"
            onClick={() => navigate({view: 'controllers', params: {c: controller.name}})}
          >
            <span className="incident-sign inline-row tone-error" aria-hidden="true">
              <StateGlyph tone="error" size={11} />
            </span>
            <span className="incident-words">
              <b>Controller {controller.name} fails</b>
              <span>
                {plural(failuresOf(controller), 'failed attempt')} in the last 5 minutes. Program{' '}
                {controller.program}.
              </span>
            </span>
            <span className="incident-facts row">
              <ToneWord tone="error">failing</ToneWord>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
