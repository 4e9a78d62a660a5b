export { createHapax, HapaxError } from './client.ts'
export { verifyWebhook } from './verify-webhook.ts'
