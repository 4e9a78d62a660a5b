import { expect, it } from 'vitest'
import { failureAction } from './failure-action.ts'

const server = 'https://hapax.example.com'

it.each([
  ['address_required', 'Add address', `${server}/connect/address/`],
  ['subscription_required', 'Subscribe', `${server}/connect/subscription/`],
  ['connection_required', 'Connect', `${server}/connect/`],
  ['reconnect_required', 'Reconnect', `${server}/connect/`],
])('links %s to what solves it', (code, label, href) => {
  expect(failureAction(code, server)).toEqual({ label, href })
})

it.each(['not_available', null])('has no link for %s', (code) => {
  expect(failureAction(code, server)).toBeUndefined()
})
