import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A self-signed certificate, trusted only by this test, and its files. */
export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  /** In PEM format. */
  readonly cert: string;
  /** The hash of its public key, by which Chromium accepts it as if an authority had signed it. */
  readonly keyHash: string;
}

/** Makes a self-signed certificate for a host name, in a folder. */
export function makeCertificate(host: string, folder: string): Certificate {
  const [certFile, keyFile] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')];
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-keyout', keyFile];
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, ...names, '-out', certFile], { stdio: 'pipe' });
  const cert = readFileSync(certFile, 'utf8');
  const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  return { certFile, keyFile, cert, keyHash: createHash('sha256').update(publicKey).digest('base64') };
}
