export { createHapax } from './client.ts'
export { HapaxError } from './error.ts'
export { verifyWebhook } from './verify-webhook.ts'
