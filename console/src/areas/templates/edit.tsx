import { ApiProblem, call, useOne } from '../../api/index.ts';
import { Loaded } from '../../parts/index.ts';
import type { Template } from '../../parts/messages/use-definitions.ts';
import { useSenders } from '../../parts/messages/use-senders.ts';
import { Editor } from './editor.tsx';
import { blankEdit, type Create, componentsOf, editOf, fieldOf, type TemplateEdit } from './form.ts';

/** A new template: blank, or as another one is. */
export function NewTemplate() {
  const copy = new URLSearchParams(location.search).get('copy') ?? '';
  const { options, isLoading } = useSenders();
  if (copy) return <CopyOf uuid={copy} />;
  if (isLoading) return null;
  return (
    <Editor
      title="New template"
      initial={blankEdit({ chatapp_number: options[0]?.value ?? '' })}
      submit={(edit) => inForm(edit, create(edit))}
    />
  );
}

function CopyOf({ uuid }: { uuid: string }) {
  const query = useOne('/v2/chatapp/message-templates/{uuid}/', { uuid });
  return (
    <Loaded query={query} what="template">
      {(template) => (
        <Editor
          title="New template"
          draft={`copy-of:${uuid}`}
          initial={{ ...editOf(template), name: `${template.name}_2` }}
          submit={(edit) => inForm(edit, create(edit))}
        />
      )}
    </Loaded>
  );
}

/** Changes one; the platform reviews it again. */
export function EditTemplate({ uuid }: { uuid: string }) {
  const query = useOne('/v2/chatapp/message-templates/{uuid}/', { uuid });
  return (
    <Loaded query={query} what="template">
      {(template) => (
        <Editor
          title={`Edit ${template.name}`}
          template={template}
          initial={editOf(template)}
          submit={(edit, ifMatch) => inForm(edit, change(edit, template, ifMatch))}
        />
      )}
    </Loaded>
  );
}

const create = ({ chatapp_number, name, language_code, category, parameter_format, ...edit }: TemplateEdit) =>
  call('post', '/v2/chatapp/message-templates/', {
    body: {
      chatapp_number,
      name,
      language_code,
      category,
      parameter_format,
      components: componentsOf({ chatapp_number, name, language_code, category, parameter_format, ...edit }) as never,
    } satisfies Create,
  });

const change = (edit: TemplateEdit, { uuid, category }: Template, ifMatch: string | undefined) =>
  call('patch', '/v2/chatapp/message-templates/{uuid}/', {
    params: { uuid },
    body: {
      ...(edit.category !== category && { category: edit.category }),
      components: componentsOf(edit) as never,
    },
    ifMatch,
  });

/** Errors of the API, at the fields of the form. */
async function inForm(edit: TemplateEdit, answer: Promise<Template>): Promise<Template> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ApiProblem) || Object.keys(error.fields).length === 0) throw error;
    const fields = Object.entries(error.fields).map(([path, text]) => [fieldOf(path, edit), [text]]);
    throw new ApiProblem(error.status, Object.fromEntries(fields), error.requestId);
  }
}
