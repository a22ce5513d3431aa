import { posix, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isOutside, readConfig } from './config.ts';

describe('BACKUP_DIR', { tags: ['running.start.1'] }, () => {
  it.each([
    ['/backups', '/data', posix, true],
    ['/data-backups', '/data', posix, true],
    ['/..data', '/data', posix, true],
    ['/data', '/data', posix, false],
    ['/data/backups', '/data', posix, false],
    ['/data/..backups', '/data', posix, false],
    ['D:\\backups', 'C:\\data', win32, true],
    ['C:\\backups', 'C:\\data', win32, true],
    ['c:\\DATA\\backups', 'C:\\data', win32, false],
    ['\\\\nas\\album', 'C:\\data', win32, true],
  ])('%s is outside of %s', (folder, other, path, outside) => {
    expect(isOutside(folder, other, path)).toBe(outside);
  });
});

describe('PUBLIC_URL', { tags: ['running.start.1'] }, () => {
  it.each([
    ['https://love.example', 'https://love.example'],
    ['https://love.example/', 'https://love.example'],
    ['HTTPS://Love.Example:443', 'https://love.example'],
    ['http://192.168.1.5:3000', 'http://192.168.1.5:3000'],
    ['http://[fd00::1]:3000/', 'http://[fd00::1]:3000'],
  ])('%s is read as %s', (given, read) => {
    expect(readConfig({ PUBLIC_URL: given }).publicUrl).toBe(read);
  });
});

describe('a path with what a shell would have removed or replaced is refused', { tags: ['running.start.3'] }, () => {
  it.each([
    ['DATA_DIR', '"/var/lib/album"', 'a folder, without quotation marks'],
    ['BACKUP_DIR', "'/mnt/backup'", 'a folder outside DATA_DIR, without quotation marks'],
    ['DATA_DIR', '~/album', 'a folder, without ~'],
    ['BACKUP_DIR', '~', 'a folder outside DATA_DIR, without ~'],
    ['DATA_DIR', '$HOME/album', 'a folder, without $'],
  ])('%s=%s', (name, value, expected) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name} is invalid: it must be ${expected}`);
  });
});

describe('OIDC_ISSUER', () => {
  const PUBLIC_URL = 'https://our.example.org';
  const client = { OIDC_CLIENT_ID: 'album', OIDC_CLIENT_SECRET: 'secret' };

  it('names the provider, by its host without OIDC_NAME', { tags: ['openid.signin.1'] }, () => {
    const { oidc } = readConfig({ PUBLIC_URL, OIDC_ISSUER: 'https://auth.example', ...client });
    const expected = {
      issuer: 'https://auth.example/',
      clientId: 'album',
      clientSecret: 'secret',
      name: 'auth.example',
    };
    expect(oidc).toEqual(expected);
  });

  it('is of no use without a public address', { tags: ['openid.signin.1'] }, () => {
    expect(readConfig({ OIDC_ISSUER: 'https://auth.example', ...client })).toMatchObject({
      oidc: null,
      ignoresOidc: true,
    });
  });

  it.each(['http://auth.example', 'https://auth.example?a=b', 'https://me@auth.example', 'auth.example'])(
    '%s is refused',
    { tags: ['running.start.1'] },
    (issuer) => {
      expect(() => readConfig({ PUBLIC_URL, OIDC_ISSUER: issuer, ...client })).toThrow('OIDC_ISSUER is invalid');
    },
  );

  it('needs a client, and a client needs it', { tags: ['running.start.1'] }, () => {
    expect(() => readConfig({ PUBLIC_URL, OIDC_ISSUER: 'https://auth.example' })).toThrow('OIDC_CLIENT_ID is invalid');
    expect(() => readConfig({ PUBLIC_URL, ...client })).toThrow('OIDC_CLIENT_ID is invalid');
  });

  it('may be without HTTPS on this machine', { tags: ['running.start.1'] }, () => {
    expect(readConfig({ PUBLIC_URL, OIDC_ISSUER: 'http://localhost:9000', ...client }).oidc?.issuer).toBe(
      'http://localhost:9000/',
    );
  });
});

describe('STORAGE_URL', () => {
  it.each(['endpont=https://store.example', 'Endpoint=https://store.example&region=eu', 'Region=eu'])(
    'with ?%s is refused, because it would mean Amazon’s store',
    { tags: ['running.start.3'] },
    (parameters) => {
      expect(() => readConfig({ STORAGE_URL: `s3://album?${parameters}` })).toThrow('STORAGE_URL is invalid');
    },
  );

  it('may have parameters that other programs know', { tags: ['running.start.3'] }, () => {
    const { s3 } = readConfig({ STORAGE_URL: 's3://album?endpoint=https://store.example&forcePathStyle=true' });
    expect(s3).toMatchObject({ bucket: 'album', endpoint: 'https://store.example' });
  });
});

describe('DATABASE_URL', () => {
  it.each(['p@ss/word', 'p@ss?word', 'p@ss#word'])(
    'with the password %s says how to write it',
    { tags: ['running.start.10'] },
    (password) => {
      const read = () => readConfig({ DATABASE_URL: `postgres://us:${password}@localhost:5432/album` });
      expect(read).toThrow(/^DATABASE_URL is invalid: .*write @ as %40, \/ as %2F, # as %23 and \? as %3F$/);
    },
  );

  it.each(['postgres://us:p@ss@localhost/album', 'postgres://us:p%40%2F@localhost/album?options=-c%20search_path=a@b'])(
    '%s is what it seems',
    { tags: ['running.start.10'] },
    (url) => {
      expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
    },
  );
});
