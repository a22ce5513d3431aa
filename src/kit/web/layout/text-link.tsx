import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cx } from '../cx.ts';
import css from './text-link.module.css';

/** A link with an arrow: 'View All'. Give a `label` if the text alone doesn't tell the target. */
export function TextLink(props: { href: string; children: ReactNode; label?: string; className?: string }) {
  return (
    <Link href={props.href} className={cx(css.link, props.className)} aria-label={props.label}>
      {props.children} <ArrowRight />
    </Link>
  );
}
