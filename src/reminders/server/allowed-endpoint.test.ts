import { describe, expect, it } from 'vitest';
import { isAllowedEndpoint, isPublicAddress, publicLookup } from './allowed-endpoint.ts';
import { postToPushService } from './post-to-push-service.ts';

describe('the address of a push service', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/x',
    'https://updates.push.services.mozilla.com/wpush/v2/x',
    'https://web.push.apple.com/x',
    'https://8.8.8.8/x',
    'https://[2606:4700::1111]/x',
  ])('%s', (endpoint) => expect(isAllowedEndpoint(endpoint, false)).toBe(true));

  it.each([
    'http://fcm.googleapis.com/x',
    'https://localhost/x',
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://10.1.2.3/x',
    'https://169.254.169.254/latest',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://[fd00::1]/x',
    'https://[fe80::1]/x',
    'https://[2002:7f00:1::]/x',
    'https://database:443/x',
    'https://push.example:8443/x',
    'https://user@push.example/x',
    'file:///etc/passwd',
    'nonsense',
  ])('not %s', { tags: ['reminders.7'] }, (endpoint) => expect(isAllowedEndpoint(endpoint, false)).toBe(false));

  it('may be on this machine only in tests', () => {
    expect(isAllowedEndpoint('http://127.0.0.1:4000/x', true)).toBe(true);
    expect(isAllowedEndpoint('http://10.0.0.1/x', true)).toBe(false);
  });

  it('must not resolve to a private network', { tags: ['reminders.7'] }, async () => {
    const found = await new Promise<Error | null>((done) => {
      publicLookup('localhost', { all: true }, (error) => done(error));
    });
    expect(found?.message).toBe('The push service is in a private network');
    const request = { headers: {}, body: Buffer.from('x') };
    await expect(postToPushService('https://127.0.0.1/x', request, false)).rejects.toThrow(
      'This is not the address of a push service',
    );
    expect(isPublicAddress('100.64.1.1')).toBe(false);
    expect(isPublicAddress('::ffff:8.8.8.8')).toBe(false);
  });
});
