import { ChevronDown, Menu, Search, X } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { cx } from '../cx.ts';
import { Button } from '../forms/button.tsx';
import css from './nav-bar.module.css';
import { usePageMark } from './use-page-mark.ts';

export interface NavLink {
  href: string;
  label: string;
}

export interface NavBarProps {
  /** The app's name and its link. */
  name: NavLink;
  links: readonly NavLink[];
  /** 'Search our story'. On wide screens it is an icon. */
  search: NavLink;
  /** 'Settings'. */
  settings: NavLink;
  /** The user's name, on the menu button. */
  user: string;
  onSignOut: () => void;
  /** More menu entries between Settings and Sign out: buttons or links. */
  more?: ReactNode;
}

/**
 * The navigation bar. On narrow screens a button 'Menu' with `aria-expanded` opens a full page of
 * links, which closes on a link, on Escape and when it loses the focus. On wide screens the links are visible, and the
 * user's name opens a menu with Settings and Sign out.
 */
export function NavBar(props: NavBarProps) {
  const { name, links, search, settings, onSignOut, more } = props;
  const [isOpen, setOpen] = useState(false);
  usePageMark('menu', isOpen);
  const id = useId();
  const toggle = useRef<HTMLButtonElement>(null);

  const close = () => setOpen(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    close();
    toggle.current?.focus();
  };
  const onBlur = (event: FocusEvent) => {
    // Only when the focus moves within the page, not when the window loses it.
    if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) close();
  };

  return (
    <header className={cx(css.nav, isOpen && css.open)} data-ui="nav" onKeyDown={onKeyDown} onBlur={onBlur}>
      <a className={css.skip} href="#main">
        Skip to content
      </a>
      <Link className={css.name} href={name.href} onClick={close}>
        {name.label}
      </Link>
      <button
        ref={toggle}
        type="button"
        className={css.toggle}
        aria-label="Menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? <X /> : <Menu />}
      </button>
      <nav className={css.links} id={id} aria-label="Main">
        {links.map((link) => (
          <Entry key={link.href} {...link} onClick={close} />
        ))}
        <Entry {...search} icon={<Search />} onClick={close} />
        <div className={css.more}>
          <Entry {...settings} onClick={close} />
          {more}
          <Button variant="text" onClick={onSignOut}>
            Sign out
          </Button>
        </div>
      </nav>
      <UserMenu {...props} />
    </header>
  );
}

/** A link of the bar. The thread marks the current page and its subpages. */
function Entry({ href, label, icon, onClick }: NavLink & { icon?: ReactNode; onClick: () => void }) {
  const [location] = useLocation();
  const here = location === href || location.startsWith(`${href}/`);
  return (
    <Link
      href={href}
      className={icon ? css.iconic : undefined}
      aria-current={here ? 'page' : undefined}
      onClick={onClick}
    >
      {icon}
      <span className={css.word}>{label}</span>
    </Link>
  );
}

/** The user's menu on wide screens. As a popover it closes on Escape and on a press elsewhere. */
function UserMenu({ user, settings, more, onSignOut }: NavBarProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <button type="button" className={css.user} popoverTarget={id} aria-expanded={isOpen}>
        <span className={css.who}>{user}</span>
        <span className="visually-hidden">menu</span>
        <ChevronDown />
      </button>
      <div
        ref={menu}
        id={id}
        className={css.menu}
        popover="auto"
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        <Entry {...settings} onClick={() => menu.current?.hidePopover()} />
        {more}
        <button type="button" onClick={onSignOut}>
          Sign out
        </button>
      </div>
    </>
  );
}
