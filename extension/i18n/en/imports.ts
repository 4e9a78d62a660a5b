/** Messages about what an import did, for several rooms. */
export const importResultMessages = {
  'import.phase.reading': 'Reading your shop',
  'import.phase.waiting': 'Paused',
  'import.phase.done': 'Finished',
  'import.phase.incomplete': 'Incomplete',
  'import.phase.failed': 'Failed',
  'import.phase.refused': 'Refused',
  'import.imported': '{n} imported',
  'import.to_look_at': '{n} to review',
  'import.not_read': '{n} could not be read',
  'import.progress': '{platform} import',

  'issues.compare': 'Compare',
  'issues.whole': 'The whole import',
  'issues.error.invalid_price': 'The price is not valid',
  'issues.error.missing_title': 'The title is missing',
  'issues.error.missing_images': 'There is no picture',
  'issues.error.unsupported_currency': 'This currency is not supported',
  'issues.error.invalid_url': 'An address in it is not valid',
  'issues.error.page_changed': 'The page changed',
  'issues.error.record_invalid': 'It does not make a valid item',
  'issues.error.quota_exceeded': 'Your account is full',
  'issues.error.internal': 'Something went wrong on our side',

  'decide.to_inventory': 'Back to the inventory',

  'conflict.duplicate_sku': 'Two items, one SKU',
  'conflict.missing_sku': 'It has no SKU',
  'conflict.possible_duplicate': 'Possible duplicate',
  'conflict.sold_elsewhere': 'It was sold elsewhere',
  'conflict.quantity_above_one': 'Quantity is more than one',
  'conflict.price_mismatch': 'The prices differ',
} as const
