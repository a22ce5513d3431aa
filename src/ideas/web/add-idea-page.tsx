import { useEffect, useEffectEvent, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useLocation } from 'wouter';
import { useUser } from '../../auth/web/session/use-session.ts';
import { useCreateKey } from '../../base/web/forms/use-create-key.ts';
import { findWords } from '../../base/web/storage/words.ts';
import { Banner } from '../../kit/web/feedback/banner.tsx';
import { type Question, useConfirm } from '../../kit/web/feedback/confirm.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import { SaveForm } from '../../kit/web/forms/save-form.tsx';
import { useKeptForm } from '../../kit/web/forms/use-kept-form.ts';
import { BackLink } from '../../kit/web/layout/back-link.tsx';
import { FormPage, Side } from '../../kit/web/layout/form-page.tsx';
import { paths } from '../../paths.ts';
import type { DateIdea } from '../contract.ts';
import { addIdeaErrors, EMPTY_IDEA, type IdeaForm, ideaBody } from '../form-rules.ts';
import { IdeaFields } from './idea-fields.tsx';
import { InspirationCard } from './inspiration-card.tsx';
import { useCategories, useCreateIdea } from './queries.ts';
import { takeSharedText } from './shared-text.ts';
import { SurpriseMeButton } from './surprise-me-button.tsx';

const SAVED_OFFLINE = 'We are offline. Our idea is saved on this device and will be sent when we are online again.';

/** `/date-ideas/add`: adds an idea (ideas.form.1). */
export default function AddIdeaPage() {
  const { clear, ...kept } = useAddIdea();
  return (
    <FormPage>
      <Side part="words">
        <BackLink href={paths.ideas}>Back to Date Ideas</BackLink>
        <h1 className="title">Add Date Idea</h1>
        <p className="felt">
          Small ideas are fine. Ours usually begin with <span className="keep">‘what if’.</span>
        </p>
      </Side>
      <Side part="work">
        <SaveForm
          label="Date idea"
          state={kept}
          submit="Save Idea"
          cancel={<ButtonLink href={paths.ideas}>Cancel</ButtonLink>}
          apart={
            <Button variant="text" onClick={kept.isSending ? undefined : clear}>
              Clear
            </Button>
          }
        >
          <CategoriesFailed />
          <IdeaFields form={kept.form} between=" / " beside={<SurpriseMeButton form={kept.form} />} />
        </SaveForm>
      </Side>
      <Side part="more">
        <InspirationCard />
      </Side>
    </FormPage>
  );
}

/** Asked when a share finds an idea that was typed here and not saved. */
const REPLACE: Question = {
  question: 'Are you sure you want to replace the idea that you were writing?',
  detail: 'It has not been saved. Something was shared from another app.',
  verb: 'Replace',
};

/** Fills in what another app has shared, once. It asks before that replaces a draft. */
function useSharedText({ setValue }: UseFormReturn<IdeaForm>, owner: string): void {
  const confirm = useConfirm();
  const fill = useEffectEvent(async (title: string, description: string) => {
    const draft = await findWords(owner, paths.addIdea);
    if (draft !== null && !(await confirm(REPLACE))) return;
    setValue('title', title, { shouldDirty: true, shouldValidate: true });
    setValue('description', description, { shouldDirty: true });
  });
  useEffect(() => {
    const shared = takeSharedText();
    if (shared !== null) void fill(shared.title, shared.description);
  }, []);
}

/** The state of the add form. Repeated submits save only once, and a failure keeps what was typed. */
function useAddIdea() {
  const [, navigate] = useLocation();
  const notify = useNotify();
  const confirm = useConfirm();
  const createIdea = useCreateIdea();
  const idempotencyKeyOf = useCreateKey();
  const { id: owner } = useUser();
  const kept = useKeptForm<IdeaForm, DateIdea | null>({
    owner,
    isGuarded: true,
    defaultValues: EMPTY_IDEA,
    faults: addIdeaErrors,
    send: (values) => {
      const body = ideaBody(values);
      return createIdea({ body, key: idempotencyKeyOf(body), keep: { owner, form: values, path: paths.addIdea } });
    },
    onSuccess: (saved) => {
      notify.status(saved === null ? SAVED_OFFLINE : 'Our idea is saved.');
      navigate(paths.ideas);
    },
    explain: () => 'Failed to create date idea. Please try again.',
  });
  useSharedText(kept.form, owner);
  const clear = async () => {
    if (!(await confirm({ question: 'Are you sure you want to clear all fields?', verb: 'Clear' }))) return;
    kept.form.reset(EMPTY_IDEA);
    kept.dismiss();
    kept.form.setFocus('title');
  };
  return { ...kept, clear: () => void clear() };
}

function CategoriesFailed() {
  const { failed } = useCategories();
  const [isDismissed, setDismissed] = useState(false);
  return (
    <Banner onDismiss={() => setDismissed(true)}>
      {failed && !isDismissed ? 'Failed to load categories. Using default options.' : null}
    </Banner>
  );
}
