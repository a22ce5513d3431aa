import { expect, it } from 'vitest';
import { isLoopback } from './loopback.ts';

it.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['localhost.', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.5', false],
  ['127.0.0.1.example.org', false],
  ['localhost.example.org', false],
  ['', false],
])('detects whether %s is only this machine: %s', { tags: ['accounts.registering.3'] }, (host, answer) => {
  expect(isLoopback(host)).toBe(answer);
});
