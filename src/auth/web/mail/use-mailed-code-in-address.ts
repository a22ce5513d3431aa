import { useEffect } from 'react';
import { useLocation, useParams } from 'wouter';

let opened: string | null = null;

/**
 * The code of the mailed link that opened this page, or null without one. The page takes it out of the address at once,
 * so that the browser's history keeps the address without it. It is then in memory only, so a reload needs the mail again
 * (mail.screens.3).
 * @param page the address of the page without a code
 */
export function useMailedCodeInAddress(page: string): string | null {
  const { code } = useParams();
  const [, navigate] = useLocation();
  useEffect(() => {
    if (code === undefined) return;
    opened = code;
    navigate(page, { replace: true });
  }, [code, page, navigate]);
  return code ?? opened;
}
