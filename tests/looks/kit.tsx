import { Plus } from 'lucide-react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../../src/base/web/theme.css';
import { FloatingHearts } from '../../src/kit/web/album/floating-hearts.tsx';
import { ConfirmProvider } from '../../src/kit/web/feedback/confirm.tsx';
import { NotifyProvider } from '../../src/kit/web/feedback/notices.tsx';
import { Button } from '../../src/kit/web/forms/button.tsx';
import { FloatingButton } from '../../src/kit/web/layout/floating-button.tsx';
import { Folio } from '../../src/kit/web/layout/folio.tsx';
import { FormPage, Side } from '../../src/kit/web/layout/form-page.tsx';
import { Leaf } from '../../src/kit/web/layout/leaf.tsx';
import { Masthead } from '../../src/kit/web/layout/masthead.tsx';
import { NavBar } from '../../src/kit/web/layout/nav-bar.tsx';
import { Page } from '../../src/kit/web/layout/page.tsx';
import { Spread } from '../../src/kit/web/layout/spread.tsx';
import './kit.css';
import { Cards } from './kit-cards.tsx';
import { Controls } from './kit-controls.tsx';
import { States } from './kit-states.tsx';

/** `?show=cards|controls|states|spread|side|alone`: shows one page of the kit. */
const show = new URLSearchParams(location.search).get('show') ?? 'cards';
const scheme = new URLSearchParams(location.search).get('scheme');
if (scheme) document.documentElement.dataset.scheme = scheme;

const folio = <Folio>Nora &amp; Elias, since the first of March 2024</Folio>;

function Shown() {
  if (show === 'spread') {
    return (
      <Spread>
        <Leaf>
          <Masthead title="Our Love Story" />
          <p className="felt">Nora, every ordinary evening with you is one I would like to keep.</p>
        </Leaf>
        <Leaf>
          <States />
        </Leaf>
        {folio}
      </Spread>
    );
  }
  if (show === 'side') {
    return (
      <FormPage>
        <Side part="words">
          <Masthead
            back={{ href: '/date-ideas', label: 'Back to Date Ideas' }}
            title="Add Date Idea"
            subtitle="Small is fine. Ours usually begin with ‘what if’."
          />
        </Side>
        <Side part="work">
          <Controls />
        </Side>
        {folio}
      </FormPage>
    );
  }
  return (
    <Page>
      <Masthead
        title="The kit"
        subtitle="One object per noun: a date is a ticket, an idea an index card, a memory a print, a milestone a medal."
        actions={
          <Button variant="primary" icon={<Plus />} className="desk-only">
            Plan New Date
          </Button>
        }
      />
      {show === 'cards' && <Cards />}
      {show === 'controls' && <Controls />}
      {show === 'states' && <States />}
      {folio}
      {show !== 'controls' && <FloatingButton label="Plan New Date" href="#" />}
    </Page>
  );
}

const links = ['Dashboard', 'Date Ideas', 'Our Dates', 'Memories', 'Our Story'].map((label, n) => ({
  label,
  href: n === 2 ? '/kit.html' : `/${n}`,
}));

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ConfirmProvider>
        <NotifyProvider>
          <FloatingHearts />
          <NavBar
            name={{ href: '/0', label: 'Our Love Story' }}
            links={links}
            search={{ href: '/search', label: 'Search our story' }}
            settings={{ href: '/settings', label: 'Settings' }}
            user="Nora"
            onSignOut={() => {}}
          />
          <Shown />
        </NotifyProvider>
      </ConfirmProvider>
    </StrictMode>,
  );
}
