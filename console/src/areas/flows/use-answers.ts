import { useQueries } from '@tanstack/react-query';
import { type Fields, inside, listOf, oneOf, type Schema, textOf, useList } from '../../api/index.ts';
import type { Message } from '../../parts/messages/types.ts';
import { type Template, useDefinitions } from '../../parts/messages/use-definitions.ts';

type Flow = Schema<'Flow'>;
export interface FlowAnswer {
  message: Message;
  values: Fields;
}

const most = 200;

/**
 * Answers to a flow, found by what they answer: the API cannot be asked for those of one flow. So of the number's newest
 * interactive messages those are taken that answer a message with this flow.
 */
export function useAnswers(flow: Flow): { answers: FlowAnswer[]; isLoading: boolean; looked: string | undefined } {
  const inbound = useList(
    '/v2/chatapp/messages/',
    { chatapp_number: flow.chatapp_number, direction: 'INBOUND', type: 'INTERACTIVE' },
    { pageSize: most },
  );
  const { find } = useDefinitions(flow.chatapp_number);
  const replies = inbound.rows.flatMap((message): FlowAnswer[] => {
    const reply = inside(inside(message.message_data)['interactive'])['nfm_reply'];
    return reply ? [{ message, values: inside(inside(reply)['answers']) }] : [];
  });
  const asked = [...new Set(replies.map(({ message }) => questionOf(message)).filter(Boolean))];
  const questions = useQueries({
    queries: asked.map((uuid) => ({ ...oneOf('/v2/chatapp/messages/{uuid}/', { uuid }), staleTime: 600_000 })),
  });
  const carrying = new Set(questions.flatMap(({ data }) => (data && carries(data, flow, find) ? [data.uuid] : [])));
  return {
    answers: replies.filter(({ message }) => carrying.has(questionOf(message))),
    isLoading: inbound.isLoading || questions.some(({ isPending }) => isPending),
    looked: inbound.hasMore ? `Among the newest ${most} taps, choices and answers of this number.` : undefined,
  };
}

const questionOf = (message: Message): string => textOf(inside(message.context_data)['message_uuid']);

/** Whether a message opens this flow: by itself, or by a button of its template. */
function carries(message: Message, flow: Flow, find: (name: string, language?: string) => Template | undefined) {
  const data = inside(message.message_data);
  const isIt = (fields: Fields) =>
    (flow.flow_id !== null && fields['flow_id'] === flow.flow_id) || fields['flow_name'] === flow.name;
  if (message.type === 'INTERACTIVE') return isIt(inside(inside(inside(data['interactive'])['action'])['parameters']));
  const template = find(textOf(data['template_name']), textOf(data['language_code']));
  const parts = template?.components.map(inside) ?? [];
  return parts.flatMap((part) => listOf(part['buttons'])).some(isIt);
}
