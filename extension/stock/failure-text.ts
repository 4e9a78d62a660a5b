import type { BulkResult } from '#shared/contract/listings.ts'
import { findPlatform } from '#shared/platforms.ts'
import { text, textIfAny } from '../texts/text.ts'

/** Why one thing of many was not listed or taken down, with what the seller can do about it, in words. */
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

/** An option of the platform's by its name; one that has no words here is at least no name of a program. */
function choiceText(option: string): string {
  if (option.startsWith('aspects.')) return option.slice('aspects.'.length)
  return textIfAny(`bulk.choice.${option}`) ?? option.replace(/_id$/, '').replaceAll('_', ' ')
}
