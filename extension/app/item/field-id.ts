import type { FormField } from './item-form.ts'

/** Returns the id of a form's field in the document. */
export const fieldId = (field: FormField) => `form-${field}`
