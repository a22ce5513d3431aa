import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { cx } from '../cx.ts';
import css from './button.module.css';

/** The look of a button: one `primary` per screen, `text` for rare actions, `danger` only without another warning. */
export interface ButtonLook {
  variant?: 'primary' | 'secondary' | 'text' | 'danger' | undefined;
  size?: 'medium' | 'large' | undefined;
  /** Fills the width of its container. */
  wide?: boolean | undefined;
  /** Aligns the label of a text button with the text above it ('Back to Our Dates'). */
  flush?: boolean | undefined;
  /** An icon before the label. The icon hides itself from screen readers. */
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
  /** Its action is running: it keeps the focus, announces that it is busy, and ignores further presses. */
  busy?: boolean | undefined;
}

/** A button. `type` defaults to 'button', so that it doesn't submit a form by accident. */
export function Button({ variant, size, wide, flush, icon, busy, className, onClick, ...rest }: ButtonProps) {
  // Don't set `disabled` while busy: the button would lose the focus.
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
  /** Renders a disabled button of the same name instead, because a link can't be disabled. */
  disabled?: boolean | undefined;
  replace?: boolean | undefined;
  className?: string | undefined;
  onClick?: ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined;
  'aria-label'?: string | undefined;
}

/** A link within the app, styled as a button. */
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
