import { useMutation } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useUser } from '../../auth/web/session/use-session.ts';
import type { useCreateKey } from '../../base/web/forms/use-create-key.ts';
import { asApiError } from '../../base/web/net/api-error.ts';
import { isNotFound } from '../../base/web/net/not-found.ts';
import { moveDraft } from '../../base/web/storage/stored-draft.ts';
import type { DateIdea } from '../../ideas/contract.ts';
import { ideaBody, ideaFormOf } from '../../ideas/form-rules.ts';
import { useCreateIdea, useFreshIdea, useUpdateIdea } from '../../ideas/web/queries.ts';
import { DrawnIndexCard } from '../../kit/web/album/drawn-index-card.tsx';
import { EmptyState } from '../../kit/web/feedback/empty-state.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import type { Versioned } from '../../kit/web/forms/use-versioned-edit.ts';
import { Page } from '../../kit/web/layout/page.tsx';
import { paths } from '../../paths.ts';
import { useDates } from './queries.ts';

type IdeaParts = Pick<DateIdea, 'title' | 'description' | 'category'>;

/** The request body that saves an idea unchanged, but active. */
function activeBody({ title, description, category }: IdeaParts) {
  return ideaBody(ideaFormOf({ title, description, category, isActive: true }));
}

export const DELETED = 'This idea was deleted. Add it again to plan a date from it.';
export const ADD_AGAIN = 'Add it again';
export const INACTIVE = 'This idea is inactive. Make it active again to plan a date from it.';
export const MAKE_ACTIVE = 'Make it active again';

/**
 * A mutation that makes an idea active again, unless it is. It takes the version that is known, or null. A failure shows
 * an alert, except 404: the idea was deleted.
 */
export function useActivation(id: string) {
  const notify = useNotify();
  const updateIdea = useUpdateIdea(id);
  const fetchNow = useFreshIdea(id);
  const activate = async ({ entity, etag }: Versioned<DateIdea>) =>
    entity.isActive ? entity : (await updateIdea({ body: activeBody(entity), ifMatch: etag })).entity;
  return useMutation({
    mutationFn: async (known: Versioned<DateIdea> | null) =>
      activate(known ?? (await fetchNow())).catch(async (error: unknown) => {
        if (asApiError(error).status !== 412) throw error;
        // The partner has changed it since, or the answer to the last press was lost.
        return activate(await fetchNow());
      }),
    onError: (error) => {
      if (!isNotFound(error)) notify.alert('Failed to update date idea. Please try again.');
    },
  });
}

/**
 * Returns a function that adds a deleted idea again, as a new one (the server can't restore deleted ideas), and opens the
 * plan form of that.
 * @param idempotencyKeyOf the page's idempotency key, so that a second press after a lost reply creates nothing twice
 * @param carry takes along to the path of that form what was typed
 */
export function useAddAgain(idempotencyKeyOf: ReturnType<typeof useCreateKey>, carry: (path: string) => void) {
  const [, navigate] = useLocation();
  const notify = useNotify();
  const createIdea = useCreateIdea();
  const owner = useUser().id;
  // The live change may arrive before the reply and remount this. These callbacks run all the same.
  const { mutate, isPending } = useMutation({
    mutationFn: ({ title, description, category }: IdeaParts) => {
      const body = activeBody({ title, description, category });
      return createIdea({ body, key: idempotencyKeyOf(body), keep: { owner, form: body, path: paths.addIdea } });
    },
    onSuccess: (added) => {
      if (added === null) return navigate(paths.ideas, { replace: true });
      carry(paths.planDate(added.id));
      navigate(paths.planDate(added.id), { replace: true });
    },
    onError: () => notify.alert('Failed to create date idea. Please try again.'),
  });
  return { addAgain: (idea: IdeaParts) => mutate(idea), isAdding: isPending };
}

interface InactiveIdeaProps {
  readonly opened: Versioned<DateIdea>;
  readonly children: (idea: DateIdea) => ReactNode;
  /** Shown if it was deleted since. */
  readonly missing: ReactNode;
}

/** Offers to make an inactive idea active again, because the server refuses to plan it (home.dashboard.17). */
export function InactiveIdea({ opened, children, missing }: InactiveIdeaProps) {
  const { id, title } = opened.entity;
  const activation = useActivation(id);
  if (activation.data) return children(activation.data);
  if (isNotFound(activation.error)) return missing;
  return (
    <Offer
      title={title}
      verb={MAKE_ACTIVE}
      busy={activation.isPending}
      onPress={() => activation.mutate(opened)}
      edit={paths.editIdea(id)}
    >
      {INACTIVE}
    </Offer>
  );
}

interface MissingIdeaProps {
  readonly id: string;
  readonly idempotencyKeyOf: ReturnType<typeof useCreateKey>;
  readonly loading: ReactNode;
  readonly otherwise: ReactNode;
}

/**
 * Shown if an idea doesn't exist. If a date still has its fields, the idea was deleted, and one press adds it again. In
 * any other case it renders `otherwise`.
 */
export function MissingIdea({ id, idempotencyKeyOf, loading, otherwise }: MissingIdeaProps) {
  const dates = useDates();
  const owner = useUser().id;
  // What was typed for the deleted idea, such as offline, is about the new one.
  const { addAgain, isAdding } = useAddAgain(
    idempotencyKeyOf,
    (path) => void moveDraft(owner, paths.planDate(id), path),
  );
  if (dates.isPending) return loading;
  const idea = dates.data?.find(({ dateIdea }) => dateIdea.id === id)?.dateIdea;
  if (!idea?.category) return otherwise;
  const { title, description, category } = idea;
  return (
    <Offer title={title} verb={ADD_AGAIN} busy={isAdding} onPress={() => addAgain({ title, description, category })}>
      {DELETED}
    </Offer>
  );
}

interface OfferProps {
  readonly title: string;
  readonly verb: string;
  readonly busy: boolean;
  readonly onPress: () => void;
  readonly edit?: string;
  readonly children: string;
}

function Offer({ title, verb, busy, onPress, edit, children }: OfferProps) {
  return (
    <Page>
      <EmptyState
        drawing={<DrawnIndexCard />}
        title={title}
        level={1}
        actions={
          <>
            <Button variant="primary" icon={<RotateCcw />} busy={busy} onClick={onPress}>
              {verb}
            </Button>
            {edit && <ButtonLink href={edit}>Edit</ButtonLink>}
            <ButtonLink href={paths.ideas}>Back to Date Ideas</ButtonLink>
          </>
        }
      >
        {children}
      </EmptyState>
    </Page>
  );
}
