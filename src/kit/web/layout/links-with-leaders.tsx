import { ArrowRight } from 'lucide-react';
import { Link } from 'wouter';
import css from './links-with-leaders.module.css';

/** Links in the style of a table of contents, with dotted leaders: the quick actions. */
export function LinksWithLeaders({ links }: { links: readonly { href: string; label: string }[] }) {
  return (
    <ul className={css.links}>
      {links.map(({ href, label }) => (
        <li key={label}>
          <Link href={href}>
            {label}
            <ArrowRight />
          </Link>
        </li>
      ))}
    </ul>
  );
}
