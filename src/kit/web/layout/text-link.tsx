import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cx } from '../cx.ts';
import css from './text-link.module.css';

/** A link with an arrow: 'View All'. */
export function TextLink(props: { href: string; children: ReactNode; className?: string }) {
  return (
    <Link href={props.href} className={cx(css.link, props.className)}>
      {props.children} <ArrowRight />
    </Link>
  );
}
