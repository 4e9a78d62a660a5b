import type { BulkResult } from '#shared/contract/selling/listings.ts'
import { findPlatform } from '#shared/platforms.ts'
import { choiceText } from '../list/choice-text.ts'
import { text, textIfAny } from './words.ts'

/** Explains why one listing of a bulk job failed and what the seller can do. */
export function failureText({
  platform,
  error_code,
  error_message,
}: Pick<BulkResult, 'platform' | 'error_code' | 'error_message'>): string {
  const name = findPlatform(platform)?.name ?? platform
  const wanted = error_code === 'choice_required' ? /^Choose (.+)\.$/.exec(error_message ?? '')?.[1]?.split('; ') : null
  if (!wanted) return `${name}: ${textIfAny(`error.${error_code}`) ?? error_message ?? error_code}`
  const choices = new Intl.ListFormat('en', { type: 'conjunction' }).format(wanted.map(choiceText))
  return text('bulk.choice_required', { platform: name, choices })
}

type Failure = Pick<BulkResult, 'platform' | 'error_code'>

/** Returns true if only the seller's choice is missing. */
export function needsChoice({ platform, error_code }: Failure): boolean {
  const isAsked = error_code === 'choice_required' || error_code === 'seller_account_required'
  return isAsked && findPlatform(platform)?.connection === 'oauth'
}

/** Returns true if other choices may help. Platforms often refuse a category or a deleted policy. */
export function canChoose(failure: Failure): boolean {
  const isRefused = failure.error_code === 'platform_failed' && findPlatform(failure.platform)?.connection === 'oauth'
  return isRefused || needsChoice(failure)
}
