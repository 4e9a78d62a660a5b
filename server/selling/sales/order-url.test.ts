import { expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { orderUrl } from './observed-sale.ts'

const local = { EBAY_API_URL: 'http://127.0.0.1:1', ETSY_API_URL: 'http://127.0.0.1:2' }

it.each([
  ['ebay', 'http://127.0.0.1:1/order/12-3', 'https://www.ebay.com/sh/ord/details?orderid=12-3'],
  ['etsy', 'http://127.0.0.1:2/order/12-3', 'https://www.etsy.com/your/orders/sold?order_id=12-3'],
] as const)('leads to the order of the sandbox on this machine: %s', (platform, ofSandbox, real) => {
  expect(orderUrl(platform, '12-3', readConfig({ ...local, SANDBOX: 'on' }))).toBe(ofSandbox)
  expect(orderUrl(platform, '12-3', { ...readConfig({ SANDBOX: 'on' }), sandbox: false })).toBe(real)
})
