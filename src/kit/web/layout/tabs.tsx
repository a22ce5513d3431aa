import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { cx } from '../cx.ts';
import css from './tabs.module.css';

export interface TabsProps<V extends string> {
  /** The tablist's accessible name. */
  label: string;
  tabs: readonly { value: V; label: string; count?: number }[];
  value: V;
  onChange: (value: V) => void;
  /** The id of the `TabPanel`. */
  panel: string;
}

/**
 * Filter tabs: one tab stop; the arrow keys, Home and End select. The selected tab is scrolled into view. If it
 * disappears (there are no more cancelled dates), the first tab becomes the tab stop and takes over the focus.
 */
export function Tabs<V extends string>({ label, tabs, value, onChange, panel }: TabsProps<V>) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const selected = list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${panel}-${value}`)}`);
    if (!list.current || !selected) return;
    // scrollIntoView would scroll the page too.
    list.current.scrollLeft = selected.offsetLeft - list.current.offsetLeft - selected.offsetWidth / 2;
  }, [panel, value]);

  const stop = tabs.some((tab) => tab.value === value) ? value : tabs[0]?.value;
  const focused = useRef<V | null>(null);
  useLayoutEffect(() => {
    if (focused.current === null || tabs.some((tab) => tab.value === focused.current)) return;
    list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [tabs]);

  const move = (event: KeyboardEvent) => {
    const now = tabs.findIndex((tab) => tab.value === value);
    const aim = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = aim === undefined ? undefined : tabs[(aim + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChange(next.value);
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${panel}-${next.value}`)}`)?.focus();
  };

  return (
    <div ref={list} className={cx(css.row, css.tabs)} role="tablist" aria-label={label} data-ui="tabs">
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          id={`${panel}-${tab.value}`}
          className={css.one}
          aria-selected={tab.value === value}
          aria-controls={panel}
          tabIndex={tab.value === stop ? 0 : -1}
          onFocus={() => {
            focused.current = tab.value;
          }}
          onBlur={() => {
            focused.current = null;
          }}
          onClick={() => onChange(tab.value)}
          onKeyDown={move}
        >
          {tab.label}
          {tab.count !== undefined && <span className={cx(css.count, 'num')}>{tab.count}</span>}
        </button>
      ))}
    </div>
  );
}

/** The content of the selected tab. `id` is the Tabs' `panel`, `tab` their `value`. */
export function TabPanel({ id, tab, children }: { id: string; tab: string; children: ReactNode }) {
  return (
    <div id={id} role="tabpanel" aria-labelledby={`${id}-${tab}`} className={css.panel}>
      {children}
    </div>
  );
}
