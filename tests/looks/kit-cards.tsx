import { Hourglass, Star, Trash2 } from 'lucide-react';
import { CategoryLabel } from '../../src/kit/web/album/category-label.tsx';
import { IndexCard } from '../../src/kit/web/album/index-card.tsx';
import { Medal } from '../../src/kit/web/album/medal.tsx';
import { Print } from '../../src/kit/web/album/print.tsx';
import { PrintRows } from '../../src/kit/web/album/print-rows.tsx';
import { Ticket } from '../../src/kit/web/album/ticket.tsx';
import { Badge } from '../../src/kit/web/feedback/badge.tsx';
import { ProgressBar } from '../../src/kit/web/feedback/progress-bar.tsx';
import { Button, ButtonLink } from '../../src/kit/web/forms/button.tsx';
import { IconButton } from '../../src/kit/web/forms/icon-button.tsx';
import { Facts } from '../../src/kit/web/layout/facts.tsx';
import { Figures } from '../../src/kit/web/layout/figures.tsx';
import { Grid } from '../../src/kit/web/layout/grid.tsx';
import { LinksWithLeaders } from '../../src/kit/web/layout/links-with-leaders.tsx';
import { Section } from '../../src/kit/web/layout/section.tsx';
import { categories, ideas, long, photos, type SampleTicket, statuses, tickets } from './samples.ts';

const category = (hue: string) => categories.find(([name]) => name === hue) ?? ['Unknown', '🤍', 'Unknown'];

function Sample({
  ticket,
  title,
  large,
  bare,
}: {
  ticket: SampleTicket;
  title?: string;
  large?: boolean;
  bare?: boolean;
}) {
  const [hue, icon, name] = category(ticket.hue);
  return (
    <Ticket
      state={ticket.state}
      stateLabel={ticket.stateLabel}
      day={ticket.day}
      title={title ?? ticket.title}
      level={3}
      {...(large ? { large, asLink: ticket.state === 'today' } : {})}
      href={large && ticket.state !== 'today' ? undefined : '/planned-dates/1'}
      until={ticket.until}
      category={
        <CategoryLabel hue={hue ?? ''} icon={icon}>
          {name}
        </CategoryLabel>
      }
      facts={ticket.facts}
      notes={large || bare ? null : ticket.notes}
      actions={
        large ? undefined : (
          <>
            {ticket.main.map((word) => (
              <Button key={word} variant={word === 'Complete' ? 'primary' : 'secondary'}>
                {word}
              </Button>
            ))}
            <ButtonLink href="/planned-dates/1">View Details</ButtonLink>
          </>
        )
      }
      rare={
        large
          ? undefined
          : ticket.rare.map((word) => (
              <Button key={word} variant="text">
                {word}
              </Button>
            ))
      }
    />
  );
}

export function Cards() {
  return (
    <>
      <Section title="Ticket" aside="a planned date">
        <Grid>
          {tickets.map((ticket) => (
            <li key={ticket.state}>
              <Sample ticket={ticket} />
            </li>
          ))}
        </Grid>
      </Section>
      <Section title="Ticket at 320 px, long and short">
        <ul className="kit-narrow">
          {tickets.map((ticket, n) => (
            <li key={ticket.state}>
              <Sample ticket={ticket} title={n % 2 ? 'Swim' : long} />
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Ticket, large" aside="next date, head of the details">
        <Grid>
          {tickets.map((ticket, n) => (
            <li key={ticket.state}>
              <Sample ticket={ticket} large {...(n === 0 ? { title: long } : {})} />
            </li>
          ))}
        </Grid>
      </Section>
      <Section title="Index card" aside="a date idea">
        <Grid three>
          {ideas.map((idea) => {
            const [hue, icon, name] = category(idea.hue);
            return (
              <li key={idea.title}>
                <IndexCard
                  hue={hue}
                  tab={
                    <>
                      <span aria-hidden="true">{icon}</span>
                      {name}
                    </>
                  }
                  title={idea.title}
                  level={3}
                  inactive={idea.hue === 'Relaxing'}
                  badges={idea.badges.map((word) => (
                    <Badge key={word} hue={word === 'New' ? 'Romantic' : undefined}>
                      {word}
                    </Badge>
                  ))}
                  text={idea.text}
                  none="No description provided"
                  foot={idea.foot}
                  actions={<ButtonLink href="/date-ideas/1/plan">Plan This Date</ButtonLink>}
                  rare={
                    <>
                      <ButtonLink variant="text" href="/date-ideas/1/edit">
                        Edit
                      </ButtonLink>
                      <Button variant="text">Delete</Button>
                    </>
                  }
                />
              </li>
            );
          })}
        </Grid>
      </Section>
      <Prints />
      <Small />
    </>
  );
}

function Prints() {
  const blur =
    'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 2 1%22%3E%3Crect width=%222%22 height=%221%22 fill=%22%23a98%22/%3E%3C/svg%3E';
  return (
    <Section title="Print" aside="a memory">
      <div className="kit-two">
        <Print
          lead
          src="/park.jpg"
          width={640}
          height={480}
          blur={() => blur}
          caption="The bench where we ate both desserts first"
          meta="2 days ago"
          view={{ label: 'View: The bench where we ate both desserts first', href: '/memories' }}
        />
        <PrintRows one>
          <Print
            as="li"
            src="/lamp.jpg"
            width={825}
            height={1100}
            blur={() => blur}
            caption="You stopped for every lamp"
            meta="5 days ago"
            view={{ label: 'View: You stopped for every lamp', onClick: () => {} }}
          />
          <Print
            as="li"
            src="/tower.jpg"
            width={640}
            height={480}
            caption="Via Cesalpino, 7 AM"
            meta="5 weeks ago"
            view={{ label: 'View: Via Cesalpino, 7 AM', onClick: () => {} }}
          />
        </PrintRows>
      </div>
      <PrintRows>
        {photos.map((photo) => (
          <Print
            key={photo.file}
            as="li"
            src={`/${photo.file}`}
            width={photo.width}
            height={photo.height}
            blur={() => blur}
            caption={photo.caption}
            meta={photo.meta}
            view={{ label: `View: ${photo.caption ?? photo.meta}`, onClick: () => {} }}
            actions={<IconButton label={`Delete: ${photo.caption ?? photo.meta}`} icon={<Trash2 />} />}
          />
        ))}
      </PrintRows>
    </Section>
  );
}

function Small() {
  return (
    <>
      <Section title="Medal" aside="a milestone">
        <div className="kit-row">
          <Medal earned large>
            <Hourglass />
          </Medal>
          <Medal earned>
            <Star />
          </Medal>
          <Medal earned={false}>
            <Star />
          </Medal>
        </div>
      </Section>
      <Section title="Badge and category">
        <div className="kit-row">
          {statuses.map((status) => (
            <Badge key={status} hue={status}>
              {status}
            </Badge>
          ))}
          <Badge hue="Romantic">New</Badge>
          <Badge>Popular</Badge>
        </div>
        <div className="kit-row">
          {categories.map(([hue, icon, name]) => (
            <CategoryLabel key={hue} hue={hue} icon={icon}>
              {name}
            </CategoryLabel>
          ))}
        </div>
      </Section>
      <div className="kit-two">
        <Section title="Figures and facts">
          <Figures
            items={[
              { label: 'Time Together', value: '86h 25m' },
              { label: 'Dates Completed', value: 23 },
              { label: 'Memories Created', value: 147 },
            ]}
          />
        </Section>
        <Section title="Contents" link={{ href: '/x', label: 'View All' }}>
          <LinksWithLeaders
            links={[
              { href: '/a', label: 'Add Date Idea' },
              { href: '/b', label: 'Browse Ideas' },
            ]}
          />
          <Facts
            items={[
              { label: 'Date', value: 'Saturday, October 17, 2026' },
              { label: 'Location', value: 'Arezzo, the small hotel behind Piazza Grande' },
            ]}
          />
          <Facts
            ruled
            items={[
              { label: 'Favorite date type', value: 'Romantic' },
              { label: 'Days since first date', value: 'Forever counting ∞' },
            ]}
          />
          <ProgressBar label="Not begun" value={0} />
          <ProgressBar label="Under way" value={64} />
          <ProgressBar label="Done" value={100} done />
          <ProgressBar label="Chart" value={60} strip />
        </Section>
      </div>
    </>
  );
}
