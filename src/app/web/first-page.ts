import { currentSession } from '../../auth/web/session/session.ts';
import { DRAWN_ID, type Drawn, readDrawn, sumOf } from '../../base/first.ts';
import { authorization, reachBy } from '../../base/web/api.ts';
import { readFirstFrom } from '../../base/web/first.ts';
import { pause, whole } from './quiet.ts';

/** So long what the server has drawn is waited for before the page's code is fetched, in milliseconds. */
const SEEN_MS = 1500;
/** So long the same answers are waited for; then the page is drawn here, and says that it is loading. */
const HOLDS_MS = 2000;

/** So long the page that is drawn here may take an answer that was begun for what the server has drawn, in milliseconds. */
const NEWS_MS = 3000;

/** What the server has drawn the page with. */
export interface DrawnPage extends Drawn {
  /** Whether it still holds: the same user, and the same answers of all that it shows. */
  holds(): Promise<boolean>;
}

/** What the server has drawn, once it has been seen. */
export async function seenAsDrawn(): Promise<DrawnPage> {
  await whole();
  const place = document.querySelector<HTMLTemplateElement>(`template#${DRAWN_ID}`);
  if (place === null) throw new Error('The page does not say what it was drawn with.');
  const drawn = readDrawn(place.content.textContent);
  place.remove();
  await seen();
  readFirstFrom(() => drawn);
  return { ...drawn, holds: () => holds(drawn) };
}

/**
 * Once what is there has been seen, the photograph that leads included: until then the way to a phone is kept free for
 * them. A page out of sight paints nothing, and a photograph may be long on its way.
 */
async function seen(): Promise<void> {
  const lead = document.querySelector<HTMLImageElement>('img[fetchpriority=high]');
  const frames = new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await Promise.race([Promise.all([lead?.decode().catch(() => undefined), frames]), pause(SEEN_MS)]);
}

async function holds({ user, calls }: Drawn): Promise<boolean> {
  const session = currentSession();
  if (session.is !== 'in' || JSON.stringify(session.user) !== JSON.stringify(user)) return false;
  const answers = new Map(calls.map(([path]) => [path, ask(path)]));
  // Where they are not the same, the page that is drawn here begins with them.
  reachBy((path, init) => {
    const early = init.method === 'GET' ? answers.get(path) : undefined;
    answers.delete(path);
    return early ?? fetch(path, init);
  });
  const same = [...answers.values()].map(async (answer, n) => {
    const { ok, body } = await answer.then(async (one) => ({ ok: one.ok, body: await one.clone().text() }));
    return ok && sumOf(body) === calls[n]?.[1];
  });
  const all = Promise.all(same).then(
    (each) => each.every(Boolean),
    () => false,
  );
  const held = await Promise.race([all, pause(HOLDS_MS).then(() => false)]);
  // What is asked for later, is asked for anew.
  setTimeout(() => answers.clear(), held ? 0 : NEWS_MS);
  return held;
}

function ask(path: string): Promise<Response> {
  const answer = fetch(path, { headers: { accept: 'application/json', ...authorization() } });
  // Whoever takes it hears of a failure.
  answer.catch(() => undefined);
  return answer;
}
