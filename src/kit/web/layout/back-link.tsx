import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../forms/button.tsx';

/** A back link with an arrow: 'Back to Our Dates'. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <ButtonLink variant="text" flush href={href} icon={<ArrowLeft />}>
      {children}
    </ButtonLink>
  );
}
