// Short messages at the bottom that disappear by themselves.
import {useApp} from '../../store/app.ts';
import './toasts.css';

export function Toasts() {
  const toasts = useApp(state => state.toasts);
  return (
    <div className="toasts row gap-8" role="status" aria-live="polite">
      {toasts.map(toast => (
        <div key={toast.id} className={`toast toast-${toast.tone}`}>
          {toast.text}
        </div>
      ))}
    </div>
  );
}
