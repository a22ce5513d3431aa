import { clockTime, DATE_FORMATS, type DateFormats, longDate, mediumDate } from '../../../base/date-formats.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { authApi } from '../queries.ts';
import { setUser } from '../session/session.ts';
import { useUser } from '../session/use-session.ts';
import css from './formats-choice.module.css';

const NAMES: Readonly<Record<DateFormats, string>> = { us: 'US', international: 'International' };
const EXAMPLE = Date.UTC(2024, 2, 5, 15, 30);

/** The setting for how this user reads dates and times, with an example each. */
export function FormatsChoice() {
  const user = useUser();
  const notify = useNotify();
  const choose = async (formats: DateFormats) => {
    try {
      setUser(await authApi('PUT /api/auth/profile', { body: { formats } }));
      notify.status('Your dates and times are saved');
    } catch {
      notify.alert('Failed to save your dates and times. Please try again.');
    }
  };
  return (
    <fieldset className={css.formats}>
      <legend className="visually-hidden">Dates and times</legend>
      {DATE_FORMATS.map((formats) => (
        <div key={formats} className={css.one}>
          <input
            id={`formats-${formats}`}
            type="radio"
            name="formats"
            checked={(user.formats ?? 'us') === formats}
            aria-describedby={`formats-${formats}-example`}
            onChange={() => void choose(formats)}
          />
          <label htmlFor={`formats-${formats}`}>{NAMES[formats]}</label>
          <p id={`formats-${formats}-example`} className="aside num">
            {exampleOf(formats)}
          </p>
        </div>
      ))}
    </fieldset>
  );
}

function exampleOf(formats: DateFormats): string {
  const parts = [longDate, mediumDate, clockTime].map((format) => format(EXAMPLE, 'UTC', formats));
  return parts.join(' · ');
}
