/*
 * What we use of the library for passkeys. One module, which is loaded as one chunk: if the library and its helpers were
 * imported apart, the built server would run what they share in the wrong order.
 */
export {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
export { decodeAttestationObject, decodeClientDataJSON, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
