import { useLocation, useParams } from 'wouter';
import { useUser } from '../../auth/web/session/use-session.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import { FormDataLoader } from '../../base/web/forms/form-data-loader.tsx';
import type { ApiError } from '../../base/web/net/api-error.ts';
import { FailedPage } from '../../kit/web/feedback/failed-page.tsx';
import { IndexCardSkeletons } from '../../kit/web/feedback/skeleton.tsx';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { SaveForm } from '../../kit/web/forms/save-form.tsx';
import { StaleEdit } from '../../kit/web/forms/stale-edit.tsx';
import { useVersionedEdit, type Versioned } from '../../kit/web/forms/use-versioned-edit.ts';
import { BackLink } from '../../kit/web/layout/back-link.tsx';
import { Facts } from '../../kit/web/layout/facts.tsx';
import { FormPage, Side } from '../../kit/web/layout/form-page.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import { paths } from '../../paths.ts';
import { categoryName } from '../categories.ts';
import type { DateIdea } from '../contract.ts';
import { editIdeaErrors, ideaBody, ideaFormOf } from '../form-rules.ts';
import { relativeDay, timesPlannedText } from '../idea-age-texts.ts';
import { CardPreview } from './card-preview.tsx';
import { IdeaFields } from './idea-fields.tsx';
import { useFreshIdea, useIdea, useUpdateIdea } from './queries.ts';

const BACK = { href: paths.ideas, label: 'Go Back' };

/** `/date-ideas/{id}/edit` (ideas.form.11). */
export default function EditIdeaPage() {
  const id = useParams<{ id: string }>().id.trim();
  const query = useIdea(id);
  if (id === '') return <FailedPage back={BACK}>No date idea ID provided</FailedPage>;
  return (
    <FormDataLoader
      query={query}
      loading={
        <Page busy>
          <IndexCardSkeletons message="Loading date idea..." count={1} />
        </Page>
      }
      error={(error, retry) => (
        <FailedPage back={BACK} onRetry={retry}>
          {loadFailure(error)}
        </FailedPage>
      )}
    >
      {(opened) => <EditIdea opened={opened} />}
    </FormDataLoader>
  );
}

function loadFailure({ status, serverMessage }: ApiError): string {
  if (status === 404) return 'Date idea not found';
  return serverMessage ?? 'Failed to load date idea details';
}

function EditIdea({ opened }: { opened: Versioned<DateIdea> }) {
  const edit = useIdeaEdit(opened);
  return (
    <FormPage>
      <Side part="words">
        <BackLink href={paths.ideas}>Back to Date Ideas</BackLink>
        <h1 className="title">Edit Date Idea</h1>
        <p className="felt">Good plans change.</p>
        <StaleEdit edit={edit} differences={ideaFacts} />
        {edit.theirs === null && (
          <>
            <History idea={edit.base} />
            <CardPreview idea={edit.base} control={edit.form.control} />
          </>
        )}
      </Side>
      <Side part="work">
        <SaveForm
          label="Date idea"
          state={edit}
          submit="Save Changes"
          cancel={<ButtonLink href={paths.ideas}>Cancel</ButtonLink>}
        >
          <IdeaFields
            form={edit.form}
            between="/"
            activeHint="Inactive ideas will not appear when browsing date ideas."
          />
        </SaveForm>
      </Side>
    </FormPage>
  );
}

function useIdeaEdit(opened: Versioned<DateIdea>) {
  const { id } = opened.entity;
  const [, navigate] = useLocation();
  const updateIdea = useUpdateIdea(id);
  return useVersionedEdit({
    opened,
    owner: useUser().id,
    formOf: ideaFormOf,
    faults: editIdeaErrors,
    save: (form, _, ifMatch) => updateIdea({ body: ideaBody(form), ifMatch }),
    fetchNow: useFreshIdea(id),
    explain: ({ serverMessage }) => serverMessage ?? 'Failed to update date idea. Please try again.',
    onSaved: () => navigate(`${paths.ideas}?updated=true`),
  });
}

/** The partner's version, field by field, and what has changed since the form was opened. */
function ideaFacts(theirs: DateIdea, base: DateIdea) {
  return [
    { label: 'Title', value: theirs.title, changed: theirs.title !== base.title },
    { label: 'Description', value: theirs.description, changed: theirs.description !== base.description },
    { label: 'Category', value: categoryName(theirs.category), changed: theirs.category !== base.category },
    { label: 'Active', value: theirs.isActive ? 'Yes' : 'No', changed: theirs.isActive !== base.isActive },
  ];
}

function History({ idea }: { idea: DateIdea }) {
  const now = useNow();
  const zone = deviceZone();
  const { lastPlannedDate } = idea;
  return (
    <Facts
      items={[
        { label: 'So far', value: timesPlannedText(idea.plannedDatesCount) },
        { label: 'Last planned', value: lastPlannedDate && relativeDay(Date.parse(lastPlannedDate), now, zone) },
        { label: 'Created', value: relativeDay(Math.min(Date.parse(idea.createdAt), now), now, zone) },
      ]}
    />
  );
}
