import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cx } from '../cx.ts';
import css from './text-link.module.css';

/** A rose word that leads on, with its arrow: 'View All'. `label` only where the words alone do not say where to. */
export function TextLink(props: { href: string; children: ReactNode; label?: string; className?: string }) {
  return (
    <Link href={props.href} className={cx(css.link, props.className)} aria-label={props.label}>
      {props.children} <ArrowRight />
    </Link>
  );
}
