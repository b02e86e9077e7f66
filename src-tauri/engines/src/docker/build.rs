use std::collections::{HashMap, VecDeque};
use std::sync::atomic::Ordering;

use berth_compose::{Build, Diagnostic, Rule};
use bollard::query_parameters::BuildImageOptions;
use futures_util::StreamExt;
use tokio::time::Instant;

use super::apply::Run;
use super::build_context::Context;
use super::dockerfile_syntax::{self, Unsupported};
use super::observe::SeenImage;
use super::plan::ImageWork;
use super::pull::REPORT_EVERY;
use super::{failure, labels, registry_auth};
use crate::{EngineError, LastLines, Progress};

/// Lines of a failed build that are shown.
const LAST_LINES: usize = 40;
const LINE_LIMIT: usize = 4096;

impl Run<'_> {
    /// Builds a service's image with the engine's own builder and returns it.
    ///
    /// An image's id covers its labels, so a build that changes nothing must ask
    /// for the labels of the image that is there: first it is built as the
    /// operation that made that one, and only a different result is then labelled
    /// as this operation's.
    pub(super) async fn build(
        &self,
        work: &ImageWork,
        build: &Build,
        key: &str,
    ) -> Result<SeenImage, EngineError> {
        let before = work.seen.as_ref().filter(|it| it.operation.is_some());
        let operation = before
            .and_then(|it| it.operation.as_deref())
            .unwrap_or(&self.plan.identity.operation);
        let (context, platform_arguments) = self.context(work, build).await?;
        let mut options = self.options(work, build, &context.dockerfile, operation);
        for (name, value) in platform_arguments {
            let all = options.buildargs.get_or_insert_default();
            all.entry(name.to_owned()).or_insert(value);
        }
        self.run_build(work, build, key, context, options).await?;
        let built = self.built(work).await?;
        let unchanged = before.is_none_or(|it| it.id == built.id);
        if unchanged || operation == self.plan.identity.operation {
            return Ok(built);
        }
        let relabel = Build {
            context: build.context.clone(),
            dockerfile_inline: Some(format!(
                "FROM {}\nLABEL {}={}\n",
                built.id,
                labels::IMAGE_OPERATION,
                serde_json::Value::String(self.plan.identity.operation.clone())
            )),
            ..Build::default()
        };
        let context = Context::only_dockerfile(&relabel);
        let options = BuildImageOptions {
            dockerfile: context.dockerfile.clone(),
            t: Some(work.reference.clone()),
            rm: true,
            forcerm: true,
            ..BuildImageOptions::default()
        };
        self.run_build(work, &relabel, key, context, options)
            .await?;
        self.built(work).await
    }

    /// The context, and the values of the platform arguments its Dockerfile
    /// declares.
    async fn context(
        &self,
        work: &ImageWork,
        build: &Build,
    ) -> Result<(Context, Vec<(&'static str, String)>), EngineError> {
        let opened = build.clone();
        let opening = move || {
            let context = Context::open(&opened)?;
            let text = context.dockerfile_text().map_err(|error| {
                format!("{} cannot be read: {error}", opened.dockerfile.display())
            })?;
            Ok((context, text))
        };
        let opened = tokio::task::spawn_blocking(opening)
            .await
            .unwrap_or_else(|panicked| Err(panicked.to_string()));
        let (context, text) = opened.map_err(|message| EngineError::Build {
            service: work.service.clone(),
            message,
            lines: LastLines::default(),
        })?;
        let unsupported = dockerfile_syntax::unsupported(&text, build.target.as_deref());
        if unsupported.is_empty() {
            let engine = &*self.docker.info.platform;
            let target = work.platform.as_deref().unwrap_or(engine);
            let arguments = dockerfile_syntax::platform_arguments(&text, target, engine);
            Ok((context, arguments))
        } else {
            let faults = unsupported.into_iter();
            Err(EngineError::Refused(
                faults.map(|it| refusal(work, build, it)).collect(),
            ))
        }
    }

    async fn built(&self, work: &ImageWork) -> Result<SeenImage, EngineError> {
        let image = self.docker.image(&work.reference).await?;
        image.ok_or_else(|| EngineError::Build {
            service: work.service.clone(),
            message: "the build ended without an image".to_owned(),
            lines: LastLines::default(),
        })
    }

    fn options(
        &self,
        work: &ImageWork,
        build: &Build,
        dockerfile: &str,
        operation: &str,
    ) -> BuildImageOptions {
        let mut all: HashMap<String, String> = build
            .labels
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        all.extend(labels::of_image(
            &self.plan.identity,
            operation,
            &work.reference,
            &work.service,
        ));
        let args: HashMap<String, String> = build
            .args
            .iter()
            .filter_map(|(key, value)| Some((key.clone(), value.clone()?)))
            .collect();
        BuildImageOptions {
            dockerfile: dockerfile.to_owned(),
            t: Some(work.reference.clone()),
            nocache: build.no_cache,
            pull: build.pull.then(|| "true".to_owned()),
            rm: true,
            forcerm: true,
            buildargs: (!args.is_empty()).then_some(args),
            labels: Some(all),
            target: build.target.clone().unwrap_or_default(),
            networkmode: build.network.clone(),
            platform: work.platform.clone().unwrap_or_default(),
            cachefrom: (!build.cache_from.is_empty()).then(|| build.cache_from.clone()),
            shmsize: build.shm_size.and_then(|bytes| i32::try_from(bytes).ok()),
            ..BuildImageOptions::default()
        }
    }

    async fn run_build(
        &self,
        work: &ImageWork,
        build: &Build,
        key: &str,
        context: Context,
        options: BuildImageOptions,
    ) -> Result<(), EngineError> {
        let folder = self.docker.registry_config.as_deref();
        let credentials = registry_auth::for_build(folder.map(|it| it.as_path())).await;
        let hosts: String = build
            .extra_hosts
            .iter()
            .map(|host| format!("&extrahosts={}", percent_encoded(host)))
            .collect();
        let api = if hosts.is_empty() {
            self.docker.slow.clone()
        } else {
            // One query parameter each, which the client has no room for.
            self.docker
                .slow
                .clone()
                .with_request_modifier(move |mut request| {
                    if let Ok(uri) = format!("{}{hosts}", request.uri()).parse() {
                        *request.uri_mut() = uri;
                    }
                    request
                })
        };
        let sent = context.sent();
        let body = bollard::body_try_stream(context.stream());
        let mut answers = std::pin::pin!(api.build_image(
            options,
            (!credentials.is_empty()).then_some(credentials),
            Some(body),
        ));
        let mut tail = Tail::default();
        let mut report = tokio::time::interval(REPORT_EVERY);
        let mut said = 0;
        let mut shown = Instant::now();
        loop {
            let answer = tokio::select! {
                answer = answers.next() => answer,
                // Only while the context is on its way is there a number to say.
                _ = report.tick(), if tail.is_empty() => {
                    let current = sent.load(Ordering::Relaxed);
                    if current != said {
                        said = current;
                        self.steps.progress(key, None, Some(Progress { current, total: None }));
                    }
                    continue;
                }
            };
            match answer {
                None => return Ok(()),
                Some(Err(error)) => return Err(build_error(work, error, tail)),
                Some(Ok(info)) => {
                    if let Some(text) = info.stream.as_deref().or(info.status.as_deref()) {
                        tail.take(text);
                    }
                    if shown.elapsed() >= REPORT_EVERY
                        && let Some(line) = tail.last()
                    {
                        shown = Instant::now();
                        self.steps.progress(key, Some(line.to_owned()), None);
                    }
                }
            }
        }
    }
}

fn refusal(work: &ImageWork, build: &Build, found: Unsupported) -> Diagnostic {
    let inline = build.dockerfile_inline.is_some();
    Diagnostic {
        rule: Rule::Unsupported,
        // The place of an inline text in the compose file is not known here.
        file: (!inline).then(|| build.context.join(&build.dockerfile)),
        line: (!inline).then_some(found.line),
        column: None,
        message: if inline {
            format!(
                "{} in line {} of `build.dockerfile_inline` of {} needs BuildKit; Berth builds with the engine's classic builder for now",
                found.what, found.line, work.service
            )
        } else {
            format!(
                "{} needs BuildKit; Berth builds with the engine's classic builder for now",
                found.what
            )
        },
        key: found.what,
        hint: Some(found.hint.to_owned()),
    }
}

fn build_error(work: &ImageWork, error: bollard::errors::Error, tail: Tail) -> EngineError {
    match failure::from_engine(&format!("building {}", work.service), error) {
        EngineError::Api { message, .. } => EngineError::Build {
            service: work.service.clone(),
            message,
            lines: tail.lines(),
        },
        other => other,
    }
}

fn percent_encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => {
                char::from(byte).to_string()
            }
            byte => format!("%{byte:02X}"),
        })
        .collect()
}

/// What a build wrote last.
#[derive(Default)]
struct Tail {
    lines: VecDeque<String>,
    /// A line that has not ended yet.
    open: String,
}

impl Tail {
    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.open.is_empty()
    }

    fn take(&mut self, text: &str) {
        for part in text.split_inclusive('\n') {
            let room = LINE_LIMIT.saturating_sub(self.open.len());
            self.open
                .extend(part.trim_end_matches('\n').chars().take(room));
            if part.ends_with('\n') {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.open);
        let line = line
            .rsplit('\r')
            .find(|it| !it.is_empty())
            .unwrap_or("")
            .trim_end();
        if !line.is_empty() {
            if self.lines.len() == LAST_LINES {
                self.lines.pop_front();
            }
            self.lines.push_back(line.to_owned());
        }
    }

    fn last(&self) -> Option<&str> {
        self.lines.back().map(String::as_str)
    }

    fn lines(mut self) -> LastLines {
        self.end_line();
        LastLines(self.lines.into())
    }
}
