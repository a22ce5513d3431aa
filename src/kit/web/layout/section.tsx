import { type ReactNode, useId } from 'react';
import { cx } from '../cx.ts';
import css from './section.module.css';
import { TextLink } from './text-link.tsx';

export interface SectionHeadProps {
  /** The heading's text: 'Our Next Date'. */
  title: ReactNode;
  /** A secondary text at the end of the line: '147 memories'. */
  aside?: ReactNode;
  /** A link at the end of the line: 'View All Dates'. */
  link?: { href: string; label: string } | undefined;
  id?: string | undefined;
}

/** A ruled heading with an optional text and link. */
export function SectionHead({ title, aside, link, id }: SectionHeadProps) {
  return (
    <div className={css.head}>
      <h2 id={id}>{title}</h2>
      {aside && <span className={cx(css.beside, 'aside', 'num')}>{aside}</span>}
      {link && (
        <TextLink href={link.href} className={css.beside}>
          {link.label}
        </TextLink>
      )}
    </div>
  );
}

/** A section of a page, labelled by its heading. */
export function Section({ children, ...head }: Omit<SectionHeadProps, 'id'> & { children: ReactNode }) {
  const id = useId();
  return (
    <section className={css.section} aria-labelledby={id}>
      <SectionHead {...head} id={id} />
      {children}
    </section>
  );
}
