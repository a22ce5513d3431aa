import { describe, expect, it } from 'vitest';
import { readConfig } from '../process/config.ts';

const MAIL = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'album@example.org' };

describe('the variables of mail', () => {
  it('are optional', () => {
    expect(readConfig({})).toMatchObject({ mail: null, operatorEmail: null });
    expect(readConfig({ MAIL_FROM: 'album@example.org' }).mail).toBeNull();
  });

  it.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, isSecure: false, user: null }],
    ['smtps://mail.example', { port: 465, isSecure: true }],
    ['smtp://[::1]:2525', { host: '::1', port: 2525 }],
    ['smtps://a%40b.example:p%2F%23%3F@mail.example', { user: { name: 'a@b.example', password: 'p/#?' } }],
  ])('take %s', { tags: ['mail.sending.1'] }, (SMTP_URL, expected) => {
    expect(readConfig({ ...MAIL, SMTP_URL }).mail).toMatchObject(expected);
  });

  it.each([
    ['album@example.org', { name: '', address: 'album@example.org' }],
    ['Our Love Story <album@example.org>', { name: 'Our Love Story', address: 'album@example.org' }],
    ['"Our Love Story" <album@example.org>', { name: 'Our Love Story', address: 'album@example.org' }],
  ])('take the sender %s', { tags: ['mail.sending.1'] }, (MAIL_FROM, from) => {
    expect(readConfig({ ...MAIL, MAIL_FROM }).mail?.from).toEqual(from);
  });

  it.each([
    ['SMTP_URL', 'http://mail.example'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtp://user:pa/ss@mail.example'],
    ['SMTP_URL', 'smtp://user:pa#ss@mail.example'],
    ['SMTP_URL', 'smtp://mail.example/?tls=no'],
    ['SMTP_URL', 'smtp://user:%zz@mail.example'],
    ['MAIL_FROM', ''],
    ['MAIL_FROM', 'Our Love Story'],
    ['MAIL_FROM', 'a@example.org\r\nBcc: b@example.org'],
    ['MAIL_FROM', 'a@example.org, b@example.org'],
    ['MAIL_FROM', 'X <a@example.org> <b@example.org>'],
    ['OPERATOR_EMAIL', 'operator'],
    ['OPERATOR_EMAIL', 'Ada <ada@example.org>'],
  ])('refuse %s=%j by name', { tags: ['mail.sending.1'] }, (name, value) => {
    const read = () => readConfig({ ...MAIL, [name]: value });
    expect(read).toThrow(new RegExp(`^${name} is invalid: it must be `));
  });

  it('are never printed', { tags: ['mail.sending.1'] }, () => {
    const read = () => readConfig({ ...MAIL, SMTP_URL: 'smtp://album:pa/ss@mail.example' });
    expect(read).toThrow(/^SMTP_URL is invalid/);
    expect(read).not.toThrow(/pa\/ss|album/);
  });

  it('refuse an operator whom no mail can reach', { tags: ['mail.sending.1'] }, () => {
    expect(() => readConfig({ OPERATOR_EMAIL: 'ada@example.org' })).toThrow('OPERATOR_EMAIL is invalid');
  });
});
