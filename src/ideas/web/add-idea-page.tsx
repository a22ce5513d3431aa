import { useEffect, useState } from 'react';
import { type UseFormReturn, useForm, useFormState } from 'react-hook-form';
import { useLocation } from 'wouter';
import { useUser } from '../../auth/web/session/use-session.ts';
import { useCreateKey, useFormProps, verdictResolver } from '../../base/web/forms/form.ts';
import { Banner } from '../../kit/web/feedback/banner.tsx';
import { useConfirm } from '../../kit/web/feedback/confirm.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import { useDraft } from '../../kit/web/forms/draft.ts';
import { Form } from '../../kit/web/forms/fields.tsx';
import { SaveBar } from '../../kit/web/forms/save-bar.tsx';
import { useUnsavedChanges } from '../../kit/web/forms/unsaved.ts';
import { BackLink } from '../../kit/web/layout/masthead.tsx';
import { Side, SidePage } from '../../kit/web/layout/page.tsx';
import { paths } from '../../paths.ts';
import { addIdeaErrors, EMPTY_IDEA, type IdeaForm, ideaBody } from '../form-rules.ts';
import { IdeaFields } from './idea-form.tsx';
import { InspirationCard } from './inspiration-card.tsx';
import { useCategories, useCreateIdea } from './queries.ts';
import { SurpriseButton } from './surprise-button.tsx';

const resolver = verdictResolver(addIdeaErrors);
const SAVED_OFFLINE = 'We are offline. Our idea is saved on this device and will be sent when we are online again.';

/** `/date-ideas/add`: adds an idea (ideas.form.1). */
export default function AddIdeaPage() {
  const { form, failure, dismiss, formProps, clear } = useAddIdea();
  const { isValid, isSubmitting } = useFormState({ control: form.control });
  return (
    <SidePage>
      <Side part="words">
        <BackLink href={paths.ideas}>Back to Date Ideas</BackLink>
        <h1 className="title">Add Date Idea</h1>
        <p className="felt">
          Small ideas are fine. Ours usually begin with <span className="keep">‘what if’.</span>
        </p>
      </Side>
      <Side part="work">
        <Form {...formProps} aria-label="Date idea">
          <CategoriesFailed />
          <Banner onDismiss={dismiss} more="What you wrote is still here.">
            {failure}
          </Banner>
          <IdeaFields form={form} between=" / " beside={<SurpriseButton form={form} />} />
          <SaveBar
            main={
              <Button type="submit" variant="primary" disabled={!isValid} busy={isSubmitting}>
                Save Idea
              </Button>
            }
            apart={
              <Button variant="text" onClick={isSubmitting ? undefined : clear}>
                Clear
              </Button>
            }
          >
            <ButtonLink href={paths.ideas}>Cancel</ButtonLink>
          </SaveBar>
        </Form>
      </Side>
      <Side part="more">
        <InspirationCard />
      </Side>
    </SidePage>
  );
}

/** Fills in what another app has shared, once, and takes it out of the address. */
function useSharedText({ setValue }: UseFormReturn<IdeaForm>): void {
  useEffect(() => {
    const shared = new URLSearchParams(location.hash.slice(1));
    const [title, description] = [shared.get('title'), shared.get('description')];
    if (!title && !description) return;
    setValue('title', title ?? '', { shouldDirty: true, shouldValidate: true });
    setValue('description', description ?? '', { shouldDirty: true });
    history.replaceState(history.state, '', location.pathname + location.search);
  }, [setValue]);
}

/** The state of the add form. Repeated submits save only once, and a failure keeps what was typed. */
function useAddIdea() {
  const form = useForm<IdeaForm>({ defaultValues: EMPTY_IDEA, resolver, mode: 'all' });
  const [failure, setFailure] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const notify = useNotify();
  const confirm = useConfirm();
  const { mutateAsync } = useCreateIdea();
  const idempotencyKeyOf = useCreateKey();
  const release = useUnsavedChanges(useFormState({ control: form.control }).isDirty);
  const { id: owner } = useUser();
  useDraft(form, owner);
  useSharedText(form);

  const send = async (values: IdeaForm) => {
    setFailure(null);
    const body = ideaBody(values);
    let saved: unknown;
    try {
      saved = await mutateAsync({
        body,
        key: idempotencyKeyOf(body),
        keep: { owner, form: values, path: paths.addIdea },
      });
    } catch {
      setFailure('Failed to create date idea. Please try again.');
      return;
    }
    release();
    notify.status(saved === null ? SAVED_OFFLINE : 'Our idea is saved.');
    navigate(paths.ideas);
  };
  const clear = async () => {
    if (!(await confirm({ question: 'Are you sure you want to clear all fields?', verb: 'Clear' }))) return;
    form.reset(EMPTY_IDEA);
    setFailure(null);
    form.setFocus('title');
  };
  return {
    form,
    failure,
    dismiss: () => setFailure(null),
    formProps: useFormProps(form, send),
    clear: () => void clear(),
  };
}

function CategoriesFailed() {
  const { failed } = useCategories();
  const [dismissed, setDismissed] = useState(false);
  return (
    <Banner onDismiss={() => setDismissed(true)}>
      {failed && !dismissed ? 'Failed to load categories. Using default options.' : null}
    </Banner>
  );
}
