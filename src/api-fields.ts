import { campaignsFields } from './api-fields/campaigns.ts';
import { channelsFields } from './api-fields/channels.ts';
import { commonFields } from './api-fields/common.ts';
import { jobsFields } from './api-fields/jobs.ts';
import { systemFields } from './api-fields/system.ts';

/**
 * What fields of the API mean that are not described where they are declared: by name, or by model and name (`Message.type`) where a
 * name means something else there. A description at the field itself always counts.
 */
export const fieldDescriptions: Readonly<Record<string, string>> = {
  ...commonFields,
  ...channelsFields,
  ...campaignsFields,
  ...jobsFields,
  ...systemFields,
};
