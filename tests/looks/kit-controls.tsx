import { Grid2x2, List, Play, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, ButtonLink } from '../../src/kit/web/forms/button.tsx';
import { CheckField } from '../../src/kit/web/forms/check-field.tsx';
import { DateTimeField } from '../../src/kit/web/forms/date-time-field.tsx';
import { Fields, Form } from '../../src/kit/web/forms/form.tsx';
import { IconButton } from '../../src/kit/web/forms/icon-button.tsx';
import { PasswordField } from '../../src/kit/web/forms/password-field.tsx';
import { QuickFills } from '../../src/kit/web/forms/quick-fills.tsx';
import { SaveBar } from '../../src/kit/web/forms/save-bar.tsx';
import { SearchField } from '../../src/kit/web/forms/search-field.tsx';
import { SelectField } from '../../src/kit/web/forms/select-field.tsx';
import { TextArea } from '../../src/kit/web/forms/text-area.tsx';
import { TextField } from '../../src/kit/web/forms/text-field.tsx';
import { ToggleGroup } from '../../src/kit/web/forms/toggle-group.tsx';
import { FoundCount } from '../../src/kit/web/layout/found-count.tsx';
import { ListTools } from '../../src/kit/web/layout/list-tools.tsx';
import { Section } from '../../src/kit/web/layout/section.tsx';
import { TabPanel, Tabs } from '../../src/kit/web/layout/tabs.tsx';
import { TextLink } from '../../src/kit/web/layout/text-link.tsx';

export function Controls() {
  return (
    <>
      <Section title="Button">
        {(['primary', 'secondary', 'danger', 'text'] as const).map((variant) => (
          <div key={variant} className="kit-row">
            <Button variant={variant}>Plan This Date</Button>
            <Button variant={variant} icon={<Plus />}>
              Add Memories
            </Button>
            <Button variant={variant} disabled>
              Disabled
            </Button>
            <Button variant={variant} busy>
              Planning...
            </Button>
          </div>
        ))}
        <div className="kit-row">
          <Button variant="primary" size="large">
            Large
          </Button>
          <ButtonLink href="/x" icon={<Play />}>
            View Slideshow
          </ButtonLink>
          <TextLink href="/x">View All</TextLink>
          <IconButton label="Delete" icon={<Trash2 />} />
        </div>
      </Section>
      <Section title="Finding and sorting">
        <Finding />
      </Section>
      <Section title="Form">
        <Writing />
      </Section>
    </>
  );
}

function Finding() {
  const [tab, setTab] = useState<'all' | 'upcoming' | 'active' | 'completed' | 'cancelled'>('all');
  const [view, setView] = useState<'grid' | 'list'>('grid');
  return (
    <>
      <ListTools>
        <SearchField placeholder="Search date ideas..." />
        <SelectField label="Category">
          <option>All Categories</option>
        </SelectField>
        <SelectField label="Sort">
          <option>Title A-Z</option>
        </SelectField>
        <FoundCount>12 ideas found</FoundCount>
        <CheckField role="switch" label="Show inactive (2)" defaultChecked />
      </ListTools>
      <ListTools>
        <Tabs
          label="Filter"
          panel="kit-panel"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'all', label: 'All', count: 31 },
            { value: 'upcoming', label: 'Upcoming', count: 5 },
            { value: 'active', label: 'Active', count: 1 },
            { value: 'completed', label: 'Completed', count: 23 },
            { value: 'cancelled', label: 'Cancelled', count: 2 },
          ]}
        />
        <SelectField label="Sort">
          <option>Date (Earliest First)</option>
        </SelectField>
        <ToggleGroup
          label="View"
          value={view}
          onChange={setView}
          options={[
            { value: 'grid', label: 'Grid', icon: <Grid2x2 /> },
            { value: 'list', label: 'List', icon: <List /> },
          ]}
        />
      </ListTools>
      <TabPanel id="kit-panel" tab={tab}>
        What is shown: {tab}, {view}
      </TabPanel>
    </>
  );
}

function Writing() {
  return (
    <Form>
      <QuickFills
        legend="Quick fill"
        options={[
          { label: 'Today Evening', holds: false, fill: () => {} },
          { label: 'Tomorrow Evening', holds: true, fill: () => {} },
          { label: 'This Weekend', holds: false, fill: () => {} },
          { label: 'Next Week', holds: false, fill: () => {} },
        ]}
      />
      <Fields pair>
        <DateTimeField label="Date and time" defaultValue="2026-11-22T19:00" />
        <DateTimeField
          label="End time"
          optional
          defaultValue="2026-11-22T18:00"
          error="End time must be after start time"
        />
      </Fields>
      <Fields pair>
        <TextField
          label="Title"
          defaultValue="Learn to waltz, badly"
          counter="21 / 200"
          beside={<Button variant="text">Surprise me</Button>}
        />
        <TextField label="Title" defaultValue="Fo" error="Title must be at least 3 characters" counter="2 / 200" />
        <TextField
          label="Location"
          optional
          hint="From our idea’s description"
          counter="210 / 200"
          over
          defaultValue="La Specola"
        />
        <TextField label="Location" disabled defaultValue="Disabled" />
        <SelectField label="Category" error="Please select a category">
          <option>Select a category</option>
        </SelectField>
        <PasswordField label="Password" defaultValue="forget me not" hint="At least 10 characters" />
      </Fields>
      <TextArea
        label="Notes"
        optional
        placeholder="What would we do?"
        counter="97 / 500"
        defaultValue="Bring the small notebook. Last time you drew the wax anatomist asleep and I want the whole series."
      />
      <TextArea label="Caption" italic rows={2} placeholder="Add a caption for this memory..." counter="0/500" />
      <CheckField
        label="This date idea is active and available for planning"
        hint="Inactive ideas will not appear when browsing date ideas"
        defaultChecked
      />
      <CheckField label="Not ticked" />
      <CheckField role="switch" label="Show inactive (2)" />
      <SaveBar main={<Button variant="primary">Save Idea</Button>} apart={<Button variant="text">Clear</Button>}>
        <Button>Cancel</Button>
      </SaveBar>
    </Form>
  );
}
