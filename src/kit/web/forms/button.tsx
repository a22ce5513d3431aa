import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { cx } from '../cx.ts';
import css from './button.module.css';

/** How a button looks: one `primary` to a screen, `text` for what is rare, `danger` only where nothing else warns. */
export interface ButtonLook {
  variant?: 'primary' | 'secondary' | 'text' | 'danger' | undefined;
  size?: 'medium' | 'large' | undefined;
  /** As wide as what it stands in. */
  wide?: boolean | undefined;
  /** A text button whose words stand flush with the text above it ('Back to Our Dates'). */
  flush?: boolean | undefined;
  /** A drawing before the words; hidden from screen readers by the icon itself. */
  icon?: ReactNode;
}

/** The class names of a button, for the rare element that must look like one (a file input's label). */
export function buttonClass({ variant = 'secondary', size, wide, flush }: ButtonLook, className?: string) {
  return cx(
    css.button,
    variant !== 'secondary' && css[variant],
    size === 'large' && css.large,
    wide && css.wide,
    flush && css.flush,
    className,
  );
}

export interface ButtonProps extends ButtonLook, ComponentProps<'button'> {
  /** Its work is under way: it keeps the focus, says so, and takes no second press. */
  busy?: boolean | undefined;
}

/** A button. `type` is 'button' unless said otherwise, so that none sends a form by accident. */
export function Button({ variant, size, wide, flush, icon, busy, className, onClick, ...rest }: ButtonProps) {
  // Not `disabled` while busy: the focus would be lost, and with it the place in the page.
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ variant, size, wide, flush }, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={press}
    >
      {icon}
      {rest.children}
    </button>
  );
}

export interface ButtonLinkProps extends ButtonLook {
  href: string;
  children: ReactNode;
  /** A link cannot be disabled: while this holds, a disabled button of the same name stands in its place. */
  disabled?: boolean | undefined;
  replace?: boolean | undefined;
  className?: string | undefined;
  onClick?: ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined;
  'aria-label'?: string | undefined;
}

/** A link within the app that looks like a button. */
export function ButtonLink(props: ButtonLinkProps) {
  const { variant, size, wide, flush, icon, href, children, disabled, className, ...rest } = props;
  const look = { variant, size, wide, flush };
  if (disabled) {
    return (
      <Button {...look} icon={icon} className={className} aria-label={rest['aria-label']} disabled>
        {children}
      </Button>
    );
  }
  return (
    <Link href={href} {...rest} className={buttonClass(look, className)}>
      {icon}
      {children}
    </Link>
  );
}
