import { createText } from './create-text.ts'
import { commonMessages } from './en/common.ts'
import { contentMessages } from './en/content.ts'

const messages = { ...commonMessages, ...contentMessages }
export type PageTextName = keyof typeof messages

/** The texts of what runs in platforms' pages: every page there loads them, so that it carries no others. */
export const { text, textIfAny } = createText(messages)
